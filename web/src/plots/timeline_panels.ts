// SPDX-License-Identifier: Apache-2.0
/** The panels of a job over time (criteria 2.8, 2.5, 3.3, 3.2, and 1.7 where metadata operations were counted) as plain series; reading points up, writing down. */
import type { Series, Timeline } from '../lib/data';
import { amount, bytes, percent } from '../lib/units';

export type Amount = 'bytes' | 'ops';
export type Tint = 'read' | 'write' | `app-${number}`;

export interface Curve {
  name: string; // in the read-out
  tint: Tint;
  values: Series; // as drawn: writing is negative
  filled: boolean; // down to zero
  faint: boolean; // an edge of a band
  dashed?: boolean;
}

export interface Panel {
  id: string;
  title: string;
  height: number;
  curves: Curve[];
  bands: [upper: number, lower: number, Tint][]; // filled between two curves
  full: boolean; // the axis is a share of 1
  up: boolean; // nothing points down
  text: (value: number) => string;
}

const negative = (series: Series): Series => series.map((value) => (value === null ? null : -value));
const divided = (series: Series, by: number): Series => series.map((value) => (value === null ? null : value / by));

function curve(name: string, tint: Tint, values: Series, style: Partial<Curve> = {}): Curve {
  return { name, tint, values: tint === 'write' ? negative(values) : values, filled: false, faint: false, ...style };
}

/** Reading as a share of both; nothing where neither happened. */
function shareOf(read: Series, write: Series): Series {
  return read.map((r, i) => {
    const w = write[i] ?? null;
    return r === null || w === null || r + w <= 0 ? null : r / (r + w);
  });
}

function overTime(line: Timeline, of: Amount): Panel {
  const read = of === 'bytes' ? line.read_bytes : line.read_ops;
  const write = of === 'bytes' ? line.write_bytes : line.write_ops;
  return {
    id: '2.8', title: of === 'bytes' ? 'Bandwidth' : 'Operations per second', height: 170, bands: [], full: false, up: false,
    curves: [curve('read', 'read', divided(read, line.step), { filled: true }), curve('written', 'write', divided(write, line.step), { filled: true })],
    text: (value) => `${of === 'bytes' ? bytes(value) : amount(value)}/s`,
  };
}

function share(line: Timeline, of: Amount): Panel {
  const values = of === 'bytes' ? line.read_share_bytes : shareOf(line.read_ops, line.write_ops);
  const whole = values.map((value) => (value === null ? null : 1));
  return {
    id: '2.5', title: `Share of reading in ${of === 'bytes' ? 'bytes' : 'operations'}`, height: 110, full: true, up: true, text: percent,
    curves: [curve('read', 'read', values, { filled: true }), { name: '', tint: 'write', values: whole, filled: false, faint: true }],
    bands: [[1, 0, 'write']],
  };
}

function overUnits(line: Timeline): Panel {
  const of = (tint: Tint) => {
    const band = tint === 'read' ? line.unit_read : line.unit_write;
    return [
      curve(`${tint} max`, tint, divided(band.max, line.step), { faint: true }),
      curve('mean', tint, divided(band.mean, line.step)),
      curve('min', tint, divided(band.min, line.step), { faint: true }),
    ];
  };
  return {
    id: '3.3', title: 'Bandwidth of single units', height: 170, full: false, up: false,
    curves: [...of('read'), ...of('write')], bands: [[0, 2, 'read'], [5, 3, 'write']], text: (value) => `${bytes(value)}/s`,
  };
}

function concurrency(line: Timeline): Panel {
  return {
    id: '3.2', title: 'Share of units that are active', height: 130, bands: [], full: true, up: false, text: percent,
    curves: [curve('reading', 'read', line.active_read, { filled: true }), curve('writing', 'write', line.active_write, { filled: true })],
  };
}

const known = (series: Series): boolean => series.some((value) => value !== null);

function metadata(line: Timeline): Panel {
  return {
    id: '1.7', title: 'Metadata operations per second', height: 110, bands: [], full: false, up: true, text: (value) => `${amount(value)}/s`,
    curves: [curve('operations', 'app-3', divided(line.metadata_ops, line.step), { filled: true })],
  };
}

/** What of a job's timeline is shown; null: all of it. */
export interface Seen {
  range: [low: number, high: number] | null; // seconds since the job's start
  of: Amount;
  changed: (range: [low: number, high: number] | null, of: Amount) => void;
}

/** A panel with steps of its own on the job's clock. */
export interface ExtraPanel {
  panel: Panel;
  t0: number;
  step: number;
}

export const panelsOf = (line: Timeline, of: Amount): Panel[] => [overTime(line, of), share(line, of), overUnits(line), concurrency(line), ...(known(line.metadata_ops) ? [metadata(line)] : [])];

/** Steps of which nothing is known, as [first, one behind the last]. */
export function unmeasured(line: Timeline): [number, number][] {
  return [...line.dominating.matchAll(/\?+/g)].map((run) => [run.index, run.index + run[0].length]);
}

export const hasTraffic = (line: Timeline): boolean =>
  [line.read_bytes, line.write_bytes, line.read_ops, line.write_ops, line.metadata_ops].some((series) => series.some((value) => value !== null && value > 0));
