// SPDX-License-Identifier: Apache-2.0
/**
 * What the server of `fathom serve` answers under /api/v1. Plain units as in data.ts: bytes, seconds, Unix time, fractions; null is "not known", never 0.
 * Times in queries are Unix seconds. A failure has another status and the body of a `Failure`.
 */
import type { ApplicationData, State } from './application_data';
import type { Axis, JobReport, Pair, Series, Unit } from './data';
import type { SlicesData } from './slices_data';
import type { WhatIfData } from './what_if_data';

export interface Failure {
  error: { kind: string; message: string };
}

/** Work that takes a while: `done` of 0 to 1, `ready` when answers that need it are whole. */
export interface Progress {
  ready: boolean;
  done: number;
  problem: string | null;
}

// --- GET / --------------------------------------------------------------------------------------------------------------

export interface Catalog {
  version: string;
  stores: StoreEntry[];
  traces: TraceEntry[];
  simulations: { allowed: boolean; most_at_once: number; most_kept: number; most_requests: number; most_combinations: number }; // most_at_once: that wait
}

export interface StoreEntry {
  id: string; // in paths
  name: string; // for people
  problem: string | null; // why it cannot be read; then the rest is null or 0
  commit: number; // grows with every change
  start: number | null; // of its counters
  end: number | null;
  jobs: number;
  filesystems: string[];
  live: boolean; // its newest counters are of the last minutes
}

export interface TraceEntry {
  id: string;
  name: string;
  problem: string | null;
  start: number | null;
  end: number | null;
  ranks: number;
  events: number | null; // null: not counted yet
  has_calls: boolean;
  has_slices: boolean;
  program: string;
  job: string; // of the batch system; empty: none
}

// --- GET /events (server-sent): `store` and `simulation` events with these as data -------------------------------------

export interface StoreEvent {
  store: string;
  commit: number;
  overview: Progress;
  machine: Progress;
}

// --- GET /stores/{store} ------------------------------------------------------------------------------------------------

export interface StoreInfo {
  id: string;
  name: string;
  commit: number;
  start: number | null;
  end: number | null;
  jobs: number;
  running: number; // jobs without an end in the log
  users: number;
  names: number;
  servers: number;
  filesystems: string[];
  sampling_step: number | null;
  shared: boolean; // servers are shared by jobs: counters alone do not tell them apart
  metadata: boolean; // some server counts operations on metadata
  overview: Progress; // traffic over all time
  machine: Progress; // jobs and counters brought together: single jobs
  criteria: KeptCriteria[]; // what `fathom criteria` has kept; none: population is empty
  applications: Record<State, number>; // by what mining says
}

export interface KeptCriteria {
  link: string;
  filesystem: string; // '': the sum over all
  jobs: number;
  thresholds: number[]; // bytes per second, ascending
  small: number[]; // bytes, ascending
}

// --- GET /stores/{store}/traffic?from&to&bins[&filesystem] --------------------------------------------------------------

export interface Traffic {
  t0: number;
  step: number; // seconds of a bin
  of: 'bytes' | 'metadata'; // the series of the other are empty
  read: Series; // bytes per second while measured; null: nothing was
  write: Series;
  operations: Series; // on metadata, per second
  coverage: number[]; // share of the servers' time in the bin that was measured
  servers: number;
  prepared: number; // share of the days asked for that have been read; less than 1: ask again
}

// --- GET /stores/{store}/heat?from&to&bins&rows[&direction=read|write|total|metadata][&filesystem] -------------------------------

export interface Heat {
  t0: number;
  step: number;
  bins: number;
  direction: 'read' | 'write' | 'total' | 'metadata';
  rows: { name: string; servers: number }[]; // neighbouring servers share a row where there are many
  cells: string; // bytes (of metadata: operations) per second and server by row, then bin: little-endian floats of 32 bits in base64; NaN: not measured
  largest: number | null;
  prepared: number;
}

// --- GET /stores/{store}/gantt?from&to[&limit][&user][&name] ------------------------------------------------------------

export interface Gantt {
  jobs: GanttJob[]; // the largest, by lanes that do not overlap
  lanes: number;
  overlapping: number; // jobs that ran in this time, drawn or not
  chosen_by: 'bytes' | 'node_seconds';
}

export interface GanttJob {
  job_id: string;
  user: string;
  name: string;
  nodes: number | null;
  start: number;
  end: number | null; // null: still running
  lane: number;
  bytes: number | null;
}

// --- GET /stores/{store}/top?from&to&by=job|user|application[&limit] -----------------------------------------------------

export interface Top {
  by: 'job' | 'user' | 'application';
  /** counters: of servers that were one job's at a time, or tagged; patterns: servers are shared, and what mining knows of applications says who it would be. */
  method: 'counters' | 'patterns';
  total: number; // bytes that the servers moved
  explained: number; // of these, those of the jobs below and of all others that are known
  rows: TopRow[];
  prepared?: number;
}

export interface TopRow {
  key: string; // job id, user, or user/name/nodes
  user: string;
  name: string;
  nodes: number | null;
  jobs: number;
  read_bytes: number;
  write_bytes: number;
  start?: number | null; // of a job
}

// --- GET /stores/{store}/values ------------------------------------------------------------------------------------------

export interface ValueInfo {
  key: string; // 'bytes'
  criterion: string; // '1.1'; '' for what is none
  title: string;
  unit: Unit;
  scale: 'log' | 'linear';
  directions: { key: 'read' | 'write' | 'total' | ''; label: string }[]; // asked for as 'bytes.read', or 'nodes' where it is ''
  varies: 'no' | 'threshold' | 'small';
}

export interface Values {
  values: ValueInfo[];
  presets: { title: string; figure: string; x: string; y: string | null; threshold: number | null }[]; // figures of the papers
  kept: KeptCriteria[];
}

// --- GET /stores/{store}/population?x[&y][&threshold][&small][&link][&filesystem] and filters -----------------------------
// filters: min_runtime, max_runtime, min_nodes, max_nodes, user, name, from, to (of the start), io=any|both|all

export interface PopulationAnswer {
  jobs: number; // that passed the filters
  left_out: { reason: string; count: number }[];
  setting?: { link: string; filesystem: string; threshold: number; small: number } | null; // the kept criteria that were taken
  pair: Pair | null; // with y
  axis: Axis | null; // without
  coverage: Axis | null; // of the same jobs: how far to trust it
}

// --- GET /stores/{store}/jobs: the same filters; x, y with x_from, x_to, y_from, y_to; sort (a column, '-' in front: largest first), offset, limit, search

export interface JobList {
  total: number;
  offset: number;
  rows: JobRow[];
}

export interface JobRow {
  job_id: string;
  user: string;
  name: string;
  nodes: number | null;
  start: number;
  end: number | null;
  read_bytes: number | null; // null: no criteria are kept of it
  write_bytes: number | null;
  coverage: number | null;
  x: number | null; // of the two axes asked for
  y: number | null;
}

// --- GET /stores/{store}/jobs/{job}[?start][&link][&threshold][&filesystem] -----------------------------------------------

export interface JobAnswer {
  job: JobRow;
  report: JobReport | null; // null: `problem` says why
  problem: string | null;
  beside: JobRow[]; // that ran at the same time on one of its servers, or at all where servers are shared; the largest, 50 at most
  beside_total: number;
  clients: ClientSide[]; // what its compute nodes counted
  application: { user: string; name: string; nodes: number; state: State } | null; // what mining says of its application
}

/** Bytes on the job's clock as its processes moved them. */
export interface ClientSide {
  source: 'trace' | 'slices';
  trace: string | null; // id in the catalog
  name?: string; // of the traced run
  t0: number;
  step: number;
  read: Series; // bytes per second
  write: Series;
  read_bytes: number;
  write_bytes: number;
}

// --- GET /stores/{store}/applications[?state][&search][&offset][&limit][&sort] and .../application?user&name&nodes ---------

export interface ApplicationList {
  total: number;
  offset: number;
  by_state: Record<State, number>;
  rows: ApplicationRow[];
}

export interface ApplicationRow {
  user: string;
  name: string;
  nodes: number;
  state: State;
  reason: string;
  patterns: number;
  period_s: number | null; // of the best pattern, as all that follows
  burst_bytes: number | null;
  burst_s: number | null;
  throughput: number | null;
  footprint: number | null;
  samples: number;
  support: number;
  confidence: number | null;
}

export type ApplicationAnswer = ApplicationData;

// --- GET /stores/{store}/load[?at], .../advice?user&name&nodes[&at][&impact], .../decisions[?limit] -------------------------

export interface LoadAnswer {
  at: number;
  seconds: number; // that the table looks back
  bands: number[]; // lower bounds, bytes per second
  weights: number[];
  origin: string; // where weights and limits come from, in words
  servers: LoadRow[];
}

/** Numbers are those of `fathom load`. */
export interface LoadRow {
  server: string;
  filesystem: string;
  score: number | null; // null: nothing was measured
  mean_throughput: number | null;
  coverage: number;
  bands: number[]; // share of the measured time in each band; empty: nothing was measured
}

/** What `fathom advise STORE` says. */
export interface AdviceAnswer {
  at: number;
  verdict: 'run' | 'delay';
  reason: string;
  known: boolean; // something is known of the application
  views: { filesystem: string; servers: number; score: number | null; limit: number | null; enough: boolean }[]; // null: there is no server to look at, or no limit
}

/** From decisions.csv of `fathom advise --slurm`, the newest first. */
export interface Decisions {
  source: string; // where they are read from; '': nobody said (--advice-state)
  rows: { time: number; job_id: string; user: string; name: string; nodes: number; verdict: 'run' | 'delay'; reason: string; waited: number | null }[];
}

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

// --- GET /scenarios, /simulations; POST /simulations; GET and DELETE /simulations/{id}; GET /simulations/{id}/events (server-sent) ----
// GET /simulations/{id}/page: the result as one HTML file; GET /simulations/{id}/scenario.toml: for `fathom simulate`. DELETE stops one; one that has ended is forgotten.

export interface Scenarios {
  scenarios: Scenario[];
}

export interface Scenario {
  name: string;
  title: string;
  toml: string;
  parameters: ScenarioParameter[];
}

export interface ScenarioParameter {
  key: string; // 'external_link.bandwidth'; beside those of components: io_nodes.*, generator.*, cost.*
  group: string; // the part of the machine
  about: string; // what that part does; '' for groups that are none
  meaning: string;
  unit: 'bytes' | 'bytes_per_second' | 'count' | 'choice' | 'number' | 'text';
  value: string; // as the scenario has it: '10 Gbit/s'; '': it says nothing
  original: string; // of the machine that it is compared with
  choices: string[]; // of a choice
  extra: boolean; // beyond the dissertation's model
  sweeps: boolean; // may be an axis of a sweep
}

export interface SimulationRequest {
  title: string;
  scenario: string; // name of one of the scenarios
  changes: Record<string, string>; // key -> value, on the changed machine
  sweep: { key: string; values: string[] }[]; // empty: compare only
  store: string | null; // whose jobs; null: made-up ones
  from?: number | null; // of the store; null: all of it, 26 days at most
  to?: number | null;
}

export interface SimulationEntry {
  id: string;
  title: string;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  done: number; // 0 to 1
  problem: string | null;
  created: number;
  request: SimulationRequest;
}

export interface SimulationAnswer extends SimulationEntry {
  result: WhatIfData | null;
}

export interface SimulationList {
  simulations: SimulationEntry[]; // the newest first
}
