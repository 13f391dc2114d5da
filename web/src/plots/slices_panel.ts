// SPDX-License-Identifier: Apache-2.0
/** Throughput of all applications as one panel over time. */
import type { Moved, SlicesData } from '../lib/slices_data';
import { bytes } from '../lib/units';
import type { Panel, Tint } from './timeline_panels';

const tints = 6; // --app-0 ... --app-5 in theme.css; more applications are drawn dashed

export const tintOf = (application: number): Tint => `app-${application % tints}`;

const titles: Record<Moved, string> = { read: 'Read throughput', write: 'Write throughput', both: 'Throughput, reading and writing' };

export function throughputPanel(data: SlicesData, of: Moved): Panel {
  return {
    id: '', title: titles[of], height: 200, bands: [], full: false, up: true, text: (value) => `${bytes(value)}/s`,
    curves: data.applications.map((one, i) => ({
      name: one.label, tint: tintOf(i), filled: false, faint: false, dashed: i >= tints,
      values: of === 'read' ? one.read : of === 'write' ? one.write : one.read.map((r, b) => (r === null ? null : r + (one.write[b] ?? 0))),
    })),
  };
}

/** 2013-04-09 12:05:04 UTC, with tenths where slices are that short. */
export function clock(unix: number): string {
  const text = new Date(unix * 1000).toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, Number.isInteger(unix) ? 19 : 21)} UTC`;
}
