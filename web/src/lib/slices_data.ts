// SPDX-License-Identifier: Apache-2.0
/** What `fathom slices -o FILE.html` writes into its page (src/compete/page_data.cpp): applications on one clock, in bins. Plain units: bytes, seconds, Unix time. */
import type { Series } from './data';

/** Neighbouring processes, drawn as one. */
export interface MapRow {
  name: string; // "ranks 0 to 9 on 2 nodes"
  processes: number;
  start: number;
  end: number;
}

export interface SlicedApplication {
  label: string;
  job: string; // of the batch system; empty: none
  processes: number;
  active: number; // of them, those that moved data in `direction`: the ones in rows
  nodes: number; // of all processes
  start: number;
  end: number;
  phase: [begin: number, end: number] | null; // without start-up and ending; null: nothing was moved
  read_bytes: number;
  write_bytes: number;
  read: Series; // bytes per second in each bin; null where no process ran
  write: Series;
  rows: MapRow[];
  /** Bytes of each row and bin, one row after the other: little-endian floats of 32 bits in base64. Null: all are zero. */
  cells: { read: string | null; write: string | null };
}

export interface SlicesData {
  format: 1;
  title: string;
  generated: number;
  version: string;
  slice: number; // length of a slice
  direction: Moved; // shown first
  t0: number; // of the first bin
  step: number; // length of a bin
  bins: number;
  last_step: number; // the last bin may be shorter
  notes: string[];
  overlap: [begin: number, end: number] | null; // active overlap of all applications, in `direction`
  applications: SlicedApplication[];
}

export type Moved = 'read' | 'write' | 'both';
