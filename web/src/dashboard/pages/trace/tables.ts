// SPDX-License-Identifier: Apache-2.0
/** The numbers behind the figures of a trace. */
import type { Concurrency, Decomposition, TraceCall, TraceMap } from '../../../lib/api';
import type { Table } from '../../../lib/tables';
import { cellsIn } from './paint';

/** Cells in which something happened. */
export function mapTable(map: TraceMap): Table {
  const cells = cellsIn(map);
  const rows: Table['rows'] = [];
  map.rows.forEach((row, r) => {
    for (let column = 0; column < map.columns; column++) {
      const at = (r * map.columns + column) * map.kinds.length;
      const shares = map.kinds.map((_, k) => (cells[at + k] ?? 0) / 255);
      if (shares.some((share) => share > 0)) rows.push([row.name, map.t0 + column * map.step, map.step, ...shares]);
    }
  });
  return { columns: ['ranks', 'time', 'seconds', ...map.kinds.map((kind) => `${kind} share`)], rows };
}

export const callsTable = (calls: TraceCall[]): Table => ({
  columns: ['row', 'parent', 'rank', 'thread', 'interface', 'call', 'file', 'offset', 'bytes', 'start', 'end', 'result'],
  rows: calls.map((one) => [one.row, one.parent, one.rank, one.thread, one.interface, one.call, one.file, one.offset, one.bytes, one.start, one.end, one.result]),
});

export const stepsTable = (of: Concurrency): Table => ({ columns: ['time', 'reads', 'writes', 'both'], rows: of.steps });

export function decompositionTable(of: Decomposition): Table {
  const columns = Object.keys(of.rows[0] ?? {}) as (keyof Decomposition['rows'][number])[];
  return { columns, rows: of.rows.map((row) => columns.map((column) => row[column])) };
}
