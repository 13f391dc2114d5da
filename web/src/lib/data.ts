// SPDX-License-Identifier: Apache-2.0
/** What `fathom report` writes into its page, and what the dashboard's server answers: plain units (bytes, seconds, Unix time, fractions). */

export type Unit = 'bytes' | 'bytes/s' | 'ops' | 'ops/s' | 'fraction' | 'seconds' | 'count' | 'ratio';

/** Amounts of one quantity over jobs: a histogram, its cumulative distribution, and the numbers people quote. */
export interface Axis {
  label: string;
  unit: Unit;
  scale: 'log' | 'linear';
  n: number; // jobs with a value
  zeros: number; // of these, values <= 0 on a log axis: they have no place there and are not drawn
  min: number | null;
  max: number | null;
  mean: number | null;
  median: number | null;
  p80: number | null; // 80 % of the jobs have at most this much (inverse ECDF)
  top20_share: number | null; // what the ceil(0.2 n) largest jobs have of the sum
  histogram: Bin[]; // in value units
  cdf: [value: number, share: number][];
}

export interface Bin {
  from: number;
  to: number;
  count: number;
}

/** Requests of a size in [from, to) bytes. */
export interface SizeBin {
  from: number;
  to: number;
  ops: number;
}

/** Two axes over the same jobs: usually read against write. */
export interface Pair {
  id: string; // of the criterion: '1.1'
  key: string; // 'bytes'
  title: string;
  threshold: number | null; // bytes per second
  x: Axis;
  y: Axis;
  hexagons: [x: number, y: number, count: number][]; // centres in value units
  /**
   * In axis units: decades on a log axis, values on a linear one. Hexagons stand on a corner: with (u, v) the centre in
   * axis units the corners are (u + rx sin a, v + ry cos a), a = 0, 60, ... degrees; neighbours in a row are sqrt(3) rx apart,
   * rows 1.5 ry.
   */
  hex_radius: [rx: number, ry: number];
  diagonal: boolean; // draw x = y
  selected: { job_id: string; x: number; y: number; why: string }[];
}

/** One axis alone. */
export interface Single {
  id: string;
  key: string;
  title: string;
  threshold: number | null; // bytes per second
  axis: Axis;
}

/** One pair per threshold: 0, 1K, 8K, 128K, 512K, 1M bytes per second. */
export interface ThresholdPanelSet {
  id: string;
  key: 'intensity' | 'burstiness' | 'parallel_intensity';
  title: string;
  panels: Pair[];
}

/** x = bytes, y = maximum bandwidth; one for read, one for write. */
export interface VolumeVsBandwidth extends Pair {
  peak: number | null; // of the machine, bytes per second
  above_peak: { job_id: string; nodes: number | null; value: number }[];
}

export type ReadWrite = [read: number | null, write: number | null];

export interface Population {
  jobs: number; // analysed
  left_out: { reason: string; count: number }[];
  link: string; // strategy that gave increments to jobs
  min_runtime: number; // seconds
  pairs: Pair[];
  singles: Single[];
  threshold_panels: ThresholdPanelSet[];
  volume_vs_bandwidth: VolumeVsBandwidth[];
  table2: { threshold: number; intensity: ReadWrite; burstiness: ReadWrite; parallel_intensity: ReadWrite }[]; // 80 % values
  small: { size: number; read: number | null; write: number | null }[]; // share of requests of at most this size
  request_sizes: { read: SizeBin[]; write: SizeBin[]; left_out_bytes: number }; // left out: bytes of increments without operations
  opens_closes: { more_opens: number; more_closes: number; equal: number; p80_relative_difference: number | null };
  servers: ServerTotal[];
  selected: { job_id: string; why: string; read_bytes: number; write_bytes: number }[];
  linking: Linking;
}

export interface ServerTotal {
  server: string;
  read_bytes: number;
  write_bytes: number;
  read_ops: number;
  write_ops: number;
}

/** Where the increments of the store went, in bytes (read and written). */
export interface Linking {
  to_jobs: number;
  unattributed: number; // no job ran on the server
  discarded: number; // several jobs did, and the strategy gives it to none
  repeated: number; // counted for more than one job
  total: number;
  conserved: boolean; // jobs + unattributed = total, exactly
}

export type Series = (number | null)[]; // null: not measured

/** One row of the analysis map; the cells are written by the program. */
export interface MapRow {
  id: string;
  criterion: string;
  detail: string;
  read: string | null;
  write: string | null;
  total: string | null;
  note: string | null;
  kind: 'measured' | 'declared' | 'unavailable';
}

export interface UnitBand {
  min: Series;
  mean: Series;
  max: Series;
}

export interface Timeline {
  t0: number; // Unix time of the first step
  step: number; // seconds
  read_bytes: Series; // amount per step
  write_bytes: Series;
  read_ops: Series;
  write_ops: Series;
  metadata_ops: Series;
  read_share_bytes: Series;
  dominating: string; // one character per step: r read, w write, m mixed, . none, - operations were not counted, ? not measured
  active_read: Series; // share of units that are active
  active_write: Series;
  unit_read: UnitBand; // bytes per step, over units
  unit_write: UnitBand;
}

export interface Repetition {
  type: 'read' | 'write' | 'mixed';
  repeats: boolean;
  period: number | null; // seconds
  evidence: string;
}

export interface UnitRow {
  unit: string;
  read_bytes: number | null;
  write_bytes: number | null;
  read_ops: number | null;
  write_ops: number | null;
  opens: number | null;
  closes: number | null;
  metadata_ops: number | null;
}

export interface JobReport {
  job_id: string;
  user: string;
  name: string;
  nodes: number | null;
  units: number;
  start: number;
  end: number;
  coverage: number | null; // share of unit-seconds that were measured
  flags: string[];
  link: string;
  threshold: number; // bytes per second
  why: string | null; // why this job was selected
  map: MapRow[];
  timeline: Timeline;
  request_sizes: { read: SizeBin[]; write: SizeBin[] };
  repetition: Repetition[];
  units_table: UnitRow[];
}

export interface ReportData {
  format: 1;
  title: string;
  generated: number; // Unix time
  version: string;
  store: { name: string; start: number | null; end: number | null; servers: number; jobs: number; sampling_step: number | null };
  notes: string[]; // caveats, printed near the top
  population: Population | null;
  jobs: JobReport[];
}
