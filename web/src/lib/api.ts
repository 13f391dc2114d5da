// SPDX-License-Identifier: Apache-2.0
/**
 * What the server of `fathom serve` answers under /api/v1. Plain units as in data.ts: bytes, seconds, Unix time, fractions; null is "not known", never 0.
 * Times in queries are Unix seconds. A failure has another status and the body of a `Failure`.
 */
import type { ApplicationData, State } from './application_data';
import type { Axis, JobReport, Pair, Series, Unit } from './data';
import type { WhatIfData } from './what_if_data';

export type * from './trace_api';

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
