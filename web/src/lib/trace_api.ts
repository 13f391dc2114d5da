// SPDX-License-Identifier: Apache-2.0
/** What the server answers about traces, and about runs that competed: the part of api.ts that begins with /traces and /compete. */
import type { Progress, TraceEntry } from './api';
import type { SlicesData } from './slices_data';

// --- GET /traces/{trace}, .../map, .../calls, .../concurrency, .../decomposition, .../bandwidth, .../findings, .../files -----
// Times of a trace are seconds since its start (`start` of its entry), in answers and in from and to: digits of nanoseconds are left that way. Tables are those of `fathom trace ... --format json`;
// the largest limit is 100000 rows. While the trace is gone through all but the first answer 503.

/** An event `trace` of /events says the same as `prepared`. */
export interface TraceEvent {
  trace: string;
  prepared: Progress;
}

export type Interface = 'posix' | 'mpiio' | 'hdf5' | 'pnetcdf';

export interface TraceInfo extends TraceEntry {
  command: string;
  processes: number;
  mpi: boolean; // false: its ranks are processes, by their start
  clock_drift: number; // seconds
  notes: string[]; // what readers of the numbers must know
  prepared: Progress;
  interfaces: Interface[]; // that were used
  exact: boolean; // false: too many events to keep them one by one
  summary: TraceSummary | null; // null: not yet
}

/** As `fathom trace summary --format json`. */
export interface TraceSummary {
  ranks: number;
  hosts: number;
  processes: number;
  killed: number;
  files: number;
  events: number;
  start: number;
  duration: number;
  interfaces: Partial<Record<Interface, LayerTotals>>;
  perceived_bw: { interface: Interface; read: number | null; write: number | null };
  effective_bw: Partial<Record<Interface, { read: number | null; write: number | null }>>;
  clock_drift: number;
  notes: string[];
  troubles: { what: string; where: string; count: number }[];
}

export interface LayerTotals {
  calls: number;
  read_calls: number;
  read_bytes: number;
  read_seconds: number;
  write_calls: number;
  write_bytes: number;
  write_seconds: number;
  opens: number;
  closes: number;
  lock_calls: number;
  unlock_calls: number;
  seeks: number;
  syncs: number;
  failed_calls: number;
  seconds: number;
}

export type CallKind = 'read' | 'write' | 'metadata' | 'sync' | 'lock';

/** Ranks against time: GET .../map?from&to&columns&rows[&interface]. Without an interface that of the highest layer. */
export interface TraceMap {
  t0: number;
  step: number;
  columns: number;
  interface: Interface;
  interfaces: Interface[]; // that the trace has
  rows: { name: string; ranks: number; first: number }[];
  kinds: CallKind[];
  cells: string; // share of the time inside calls by row, column and kind: bytes of 0 to 255 in base64; 0: none at all
  calls: number; // of all interfaces in this time, on files that hold data
  exact: boolean; // false: from the coarse picture, which begins and ends where its columns do (wide windows of millions of calls)
}

/** GET .../calls?from&to[&rank][&parent][&interface][&all][&limit]: calls one by one, in order of start; the longest where there are more than `limit` (5000 at most). */
export interface TraceCalls {
  total: number;
  calls: TraceCall[];
}

export interface TraceCall {
  row: number; // of `fathom trace events`
  parent: number | null;
  rank: number;
  thread: number;
  interface: Interface;
  call: string;
  kind: CallKind;
  file: string | null;
  offset: number | null;
  bytes: number | null; // asked for
  start: number;
  end: number;
  result: number; // of reads and writes: bytes moved; below zero: minus the error number
  depth: number;
}

/** GET .../concurrency?[from][&to][&columns][&interface]: reads and writes under way at once. */
export interface Concurrency {
  interface: Interface;
  from: number;
  to: number;
  steps: [time: number, reads: number, writes: number, both: number][]; // each holds until the next
  exact: boolean; // false: thinned, each step is the most in its time
  share: number[]; // of the time, by number of calls at once; empty: known of the whole trace alone
  largest: number;
  total: number; // rows
  rows: ConcurrencyRow[];
}

export interface ConcurrencyRow {
  file: string | null; // null: all together
  direction: 'read' | 'write' | 'total';
  calls: number;
  most_at_once: number;
  mean_at_once: number | null;
  time: number;
  busy: number;
  serialisation: number | null; // 1: one after the other, 0: side by side
  served_at_once: number | null;
  overlapping_calls: number;
  groups: number;
  waited: number;
}

export type CallPart = 'read' | 'write' | 'lock' | 'unlock' | 'other' | 'waiting';

/** Where the time of MPI-IO calls goes; first the totals read, write, read+write and all. */
export interface Decomposition {
  total: number;
  rows: ({ call: string; calls: number; bytes: number; time: number } & Record<`${CallPart}_share`, number | null> & Record<`${CallPart}_time`, number> & Record<`${Exclude<CallPart, 'waiting'>}_calls`, number>)[];
}

export interface BandwidthTable {
  total: number;
  rows: ({
    file: string | null; // null: all together
    direction: 'read' | 'write';
    ranks: number;
    perceived: number | null;
    perceived_at: Interface;
    span: number | null; // bytes / (last end - first start)
    posix_while_busy: number | null;
    lower_bound: string | null;
    upper_bound: string | null;
  } & Record<`${Interface}_${'calls' | 'bytes' | 'time' | 'busy' | 'ranks'}`, number> & Record<`effective_${Interface}`, number | null>)[];
}

export interface Findings {
  total: number;
  rows: { finding: string; severity: 'low' | 'medium' | 'high'; file: string | null; calls: number; bytes: number; share_of_time: number; what: string; evidence: string; advice: string; hint: string | null; where: string }[];
}

export interface TraceFiles {
  total: number;
  rows: { file: string; kind: string; ranks: number; opens: number; read_calls: number; read_bytes: number; write_calls: number; write_bytes: number; lock_calls: number; other_calls: number; first: number; last: number; hints: string }[];
}

// --- GET /compete?trace=A&trace=B...[&direction][&trim][&alone=A=C][&alone=B=120][&share][&least] -----------------------------
// alone: the I/O phase of a run without the others, in seconds or as the trace of such a run.

export interface CompeteAnswer {
  traces: { trace: string; application: string }[]; // in the order of the applications
  slices: SlicesData; // with all notices
  competition: Competition;
  model: 'predicted' | 'inferred'; // courses from the times alone of all, or from the starts and ends that were seen
  courses: { application: string; steps: [begin: number, end: number, bytesPerSecond: number][] }[]; // Unix time
}

/** As `fathom compete --format json`. */
export interface Competition {
  direction: 'read' | 'write' | 'both';
  trim: boolean;
  slice_length: number;
  overlap: { length: number; parts: { start: number; length: number }[] };
  active_overlap: { slices: number; length: number; first_slice?: number; start?: number };
  spread: number | null;
  fairness: { nearer: 'process' | 'node' | null; why_not: string | null; process_distance: number | null; node_distance: number | null; slices: number };
  share: 'process' | 'node'; // in the model
  applications: CompeteRow[];
  pairs: { a: string; b: string; overlap: number; active_overlap: number; a_overlap_throughput: number | null; b_overlap_throughput: number | null; overlap_ratio: number | null; spread: number | null; nearer: string | null }[];
  notices: string[];
}

export interface CompeteRow {
  application: string;
  processes: number;
  active_processes: number;
  nodes: number;
  start: number;
  end: number;
  bytes: number;
  throughput: number | null;
  ratio: number | null;
  overlap: number;
  active_overlap: number;
  overlap_bytes: number;
  overlap_throughput: number | null;
  overlap_ratio: number | null;
  share: number | null;
  process_share: number | null;
  node_share: number | null;
  spread: number | null;
  start_up: number;
  io_phase: number | null;
  ending: number;
  standalone: number | null;
  slowdown: number | null;
  predicted: number | null;
  relative_error: number | null;
  inferred_standalone: number | null;
  inferred_relative_error: number | null;
}
