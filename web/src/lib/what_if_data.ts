// SPDX-License-Identifier: Apache-2.0
/** What `fathom simulate -o FILE.html` writes into its page: plain units (bytes, seconds, Unix time, fractions). One of the three parts is there. */
import type { Axis } from './data';

export interface WhatIfData {
  format: 1;
  title: string;
  generated: number;
  version: string;
  notes: string[];
  io_nodes: number;
  jobs: number;
  currency: string; // '' when nobody said it
  parameters: { name: string; original: string; changed: string; differs: boolean }[];
  comparison: ComparisonData | null;
  sweep: SweepData | null;
  verification: VerificationData | null;
}

/** The mean of so many neighbouring I/O nodes, usually one. Seconds in which it waited for I/O. */
export interface NodeBar {
  name: string;
  nodes: number;
  original: number;
  changed: number;
}

export interface RatioData {
  axis: Axis;
  standard_deviation: number | null;
  share_above: number | null; // of jobs with a ratio above 1.1
}

export interface ComparisonData {
  finished: number; // jobs
  requests: number;
  read_bytes: number;
  write_bytes: number;
  nodes: NodeBar[];
  io: RatioData;
  run: RatioData;
  slowest: { job_id: string; nodes: number; io_time: Change; run_time: Change }[];
  cost: [original: number | null, changed: number | null];
  full_writes_per_day: number | null; // of a burst buffer, on average
  most_full_writes_per_day: number | null;
  years: number | null; // until the one that is written most is worn out
}

export type Change = [original: number, changed: number]; // seconds

export interface PointRatio {
  jobs: number;
  average: number;
  standard_deviation: number | null;
  maximum: number;
  median: number;
  share_above: number;
}

export interface SweepPoint {
  values: string[]; // one for each axis
  io: PointRatio | null;
  run: PointRatio | null;
  cost: number | null;
  io_front: boolean; // no other combination is cheaper and no slower in I/O, or faster and no dearer
  run_front: boolean;
  bytes_per_day: number | null;
  full_writes_per_day: number | null;
  most_full_writes_per_day: number | null;
  years: number | null;
}

export interface SweepData {
  combinations: number; // more than points when it was stopped
  original_cost: number | null;
  axes: string[];
  points: SweepPoint[];
}

export interface VerificationData {
  errors: { counter: string; increments: number; with_error: number; unexpected: number; average_error: number | null }[];
  step: number; // seconds of a bin
  nodes: VerifiedNode[]; // those that differ most
}

/** Bytes per second in each bin. */
export interface VerifiedNode {
  name: string;
  error: number | null; // sum of |simulated - real| / sum of real bytes
  real_read: number[];
  real_write: number[];
  simulated_read: number[];
  simulated_write: number[];
}
