// SPDX-License-Identifier: Apache-2.0
/** What `fathom apps --app ... -o FILE.html` writes into its page: plain units (bytes, seconds, Unix time, fractions). Lists are thinned evenly where they would be long. */
import type { Bin } from './data';

export type State = 'unknown' | 'watch list' | 'rejected' | 'validated';
export type Verdict = 'valid' | 'rare' | 'irregular' | 'chance' | 'out of scope';

export interface ApplicationData {
  format: 1;
  title: string;
  generated: number;
  version: string;
  notes: string[];
  user: string;
  name: string;
  nodes: number;
  state: State;
  reason: string; // one sentence with its numbers
  provisional: boolean; // the log does not yet reach far enough past the last run: it may still change
  runs: number;
  runs_left_out: number; // of these: their times cannot be
  limits: Limits;
  patterns: PatternData[]; // the best first; six at most
  views: View[]; // one for each file system and direction that has a pattern
  table: RunTable;
}

/** What a pattern must keep to be the application's own. With few runs less is asked of the two probabilities. */
export interface Limits {
  common: number; // share of the runs that are long enough, at least
  support: number; // runs, at least; with fewer it is on the watch list
  used: number; // share of the typical bursts in the runs that show it, at least
  jitter: number; // of the time between bursts, at most
  log10_disorder: number; // at most
  log10_chance: number; // at most
  sure: number; // with so much confidence that is not needed
  scope_share: number; // below this
  scope_periods: number; // looked at before and after each run
}

export interface PatternData {
  filesystem: string; // '': all
  direction: 'read' | 'write';
  verdict: Verdict;
  period: number;
  period_error: number | null;
  jitter: number | null; // what the time between bursts varies by, as a part of the period
  burst_bytes: number | null; // of the servers that take part; null where they could not be told, as with the next three
  throughput: number | null;
  peak: number | null;
  footprint: number | null; // mean number of servers
  coarse_bytes: number | null; // of all servers
  burst_s: number | null;
  io_share: number | null; // seconds of I/O for every second without
  confidence: number | null;
  shown: number; // runs that show it
  judged: number; // of so many that are long enough
  bursts: number;
  first_seen: number | null;
  last_seen: number | null;
  used: number | null;
  steady: number | null; // share of even steps
  shuffled_steady: number | null; // the same with its bursts in disorder
  log10_disorder: number | null;
  elsewhere: number | null; // share of the time without the application that shows it too
  log10_chance: number | null;
  scope_windows: number; // stretches before and after runs
  scope_hits: number; // those in which it goes on
  steps: StepBins;
  volume: VolumeBins;
  servers: Bin[]; // bursts by the number of servers that take part: from <= servers < to
}

/** Steps between successive bursts of runs that show the pattern, in periods: bin i is around i * width. */
export interface StepBins {
  width: number;
  counts: number[];
  over: number; // longer than the last bin
}

/** Bytes of each burst: what all servers show, and what those show that take part. */
export interface VolumeBins {
  bins: { from: number; to: number; before: number; after: number }[]; // equally wide on a log axis
  before: Quartiles | null;
  after: Quartiles | null;
  bursts: number; // in the bins
  untold: number; // others, of which no server could be told
}

export type Quartiles = [quarter: number, median: number, threeQuarters: number];

export interface View {
  filesystem: string;
  direction: 'read' | 'write';
  scatter: {
    others: number; // bursts in its runs that are in no pattern
    of_patterns: number;
    points: [area: number, height: number, pattern: number][]; // pattern 1, 2, ...; 0: none. At most 2,000 of either kind
  };
  strips: Strips;
}

/** Runs on their own clocks. */
export interface Strips {
  column: number; // seconds
  of: number; // runs that these were chosen from
  runs: Strip[];
}

export interface Strip {
  job: string;
  start: number | null;
  length: number;
  shows: string; // one letter for each pattern, see RunTable
  columns: number[][]; // in which bursts start: others', then each pattern's
}

/** One entry for each run, at most 10,000. */
export interface RunTable {
  job: string[];
  start: (number | null)[];
  length: (number | null)[];
  shows: string[]; // for each pattern one letter for each run: y it shows it, n it does not, s too short, l too late to count yet, a with the bursts of another run at the same time, x left out
  bursts: number[][]; // for each pattern and run
}
