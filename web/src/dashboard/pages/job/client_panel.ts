// SPDX-License-Identifier: Apache-2.0
/** What a job's own processes counted, as a panel below those of its servers. */
import type { ClientSide } from '../../../lib/api';
import type { Series, Timeline } from '../../../lib/data';
import { bytes, percent } from '../../../lib/units';
import type { ExtraPanel } from '../../../plots/timeline_panels';

export const clientPanel = (client: ClientSide, number: number): ExtraPanel => ({
  t0: client.t0, step: client.step,
  panel: {
    id: number === 1 ? 'client' : `client ${number}`, title: `Bandwidth as its processes saw it (${client.source === 'trace' ? 'from a trace' : 'from slices'})`, height: 150, bands: [], full: false, up: false, text: (value) => `${bytes(value)}/s`,
    curves: [
      { name: 'read', tint: 'read', values: client.read, filled: true, faint: false },
      { name: 'written', tint: 'write', values: client.write.map((value) => (value === null ? null : -value)), filled: true, faint: false },
    ],
  },
});

const sum = (series: Series): number => series.reduce<number>((all, value) => all + (value ?? 0), 0);

/** "Its processes moved 1.2 TiB ...: 87 % of what the servers counted while it ran." */
export function explained(client: ClientSide, timeline: Timeline): string {
  const of = (word: string, mine: number, theirs: number) => `${word} ${bytes(mine)}${theirs > 0 ? `, ${percent(mine / theirs)} of the ${bytes(theirs)} that its servers counted` : ''}`;
  return `Its processes ${of('read', client.read_bytes, sum(timeline.read_bytes))}, and ${of('wrote', client.write_bytes, sum(timeline.write_bytes))}.`;
}
