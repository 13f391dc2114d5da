// SPDX-License-Identifier: Apache-2.0
/** The numbers behind figures, as rows: what a download as csv holds. Plain units, as in data.ts. */
import type { PatternData, View } from './application_data';
import type { Axis, Pair, Series, SizeBin, Timeline } from './data';

export interface Table {
  columns: string[];
  rows: (string | number | null)[][];
}

export const axisTable = (axis: Axis): Table => ({ columns: [`from (${axis.unit})`, `to (${axis.unit})`, 'jobs'], rows: axis.histogram.map((bin) => [bin.from, bin.to, bin.count]) });

export const pairTable = (pair: Pair): Table => ({ columns: [`${pair.x.label} (${pair.x.unit})`, `${pair.y.label} (${pair.y.unit})`, 'jobs'], rows: pair.hexagons });

export const sizesTable = (sizes: { read: SizeBin[]; write: SizeBin[] }): Table => ({
  columns: ['direction', 'from (bytes)', 'to (bytes)', 'requests'],
  rows: (['read', 'write'] as const).flatMap((way) => sizes[way].map((bin) => [way, bin.from, bin.to, bin.ops])),
});

/** Series that share their steps, with the Unix time at which each begins. */
export function seriesTable(t0: number, step: number, series: Record<string, Series>): Table {
  const all = Object.values(series);
  return { columns: ['time', ...Object.keys(series)], rows: (all[0] ?? []).map((_, i) => [t0 + i * step, ...all.map((one) => one[i] ?? null)]) };
}

export const timelineTable = (line: Timeline): Table =>
  seriesTable(line.t0, line.step, {
    read_bytes: line.read_bytes, write_bytes: line.write_bytes, read_ops: line.read_ops, write_ops: line.write_ops, metadata_ops: line.metadata_ops, read_share_bytes: line.read_share_bytes, active_read: line.active_read, active_write: line.active_write,
    unit_read_min: line.unit_read.min, unit_read_mean: line.unit_read.mean, unit_read_max: line.unit_read.max, unit_write_min: line.unit_write.min, unit_write_mean: line.unit_write.mean, unit_write_max: line.unit_write.max,
  });

export const scatterTable = (scatter: View['scatter']): Table => ({ columns: ['bytes', 'bytes per second', 'pattern'], rows: scatter.points });

export const stripsTable = (strips: View['strips']): Table => ({
  columns: ['job', 'start', 'length', 'pattern', 'seconds since the start'],
  rows: strips.runs.flatMap((run) => run.columns.flatMap((columns, pattern) => columns.map((column) => [run.job, run.start, run.length, pattern, column * strips.column]))),
});

export const stepsTable = (steps: PatternData['steps']): Table => ({ columns: ['periods', 'steps'], rows: steps.counts.map((n, i) => [i * steps.width, n]) });
export const volumeTable = (volume: PatternData['volume']): Table => ({ columns: ['from (bytes)', 'to (bytes)', 'bursts before', 'bursts after'], rows: volume.bins.map((bin) => [bin.from, bin.to, bin.before, bin.after]) });
export const serversTable = (servers: PatternData['servers']): Table => ({ columns: ['from (servers)', 'to (servers)', 'bursts'], rows: servers.map((bin) => [bin.from, bin.to, bin.count]) });
