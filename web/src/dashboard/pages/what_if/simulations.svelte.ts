// SPDX-License-Identifier: Apache-2.0
/** Simulations as the server tells of them: asked for once, then kept up to date by what it says by itself. */
import type { SimulationEntry, SimulationList } from '../../../lib/api';
import { on } from '../../live.svelte';
import { loaded, type Loaded } from '../../loaded.svelte';

export const ended = (one: SimulationEntry): boolean => one.state !== 'waiting' && one.state !== 'running';

/** Call while a component is set up. `now` gives the newest that is known of an entry. */
export function newest(heard: (entry: SimulationEntry) => void): (entry: SimulationEntry) => SimulationEntry {
  let known = $state.raw<Record<string, SimulationEntry>>({});
  $effect(() => on('simulation', (data) => {
    const entry = data as SimulationEntry;
    known = { ...known, [entry.id]: entry };
    heard(entry);
  }));
  return (entry) => {
    const told = known[entry.id];
    return told && !ended(entry) && (ended(told) || told.done >= entry.done) ? told : entry;
  };
}

/** All of them; asked again now and then while one is under way, in case nobody tells. */
export const allSimulations = (): Loaded<SimulationList> => loaded<SimulationList>(() => ({ where: '/simulations' }), { repeat: ({ simulations }) => (simulations.every(ended) ? null : 3) });

export const stateText = (one: SimulationEntry): string =>
  ({ waiting: 'waits', running: `${Math.floor(one.done * 100)} %`, done: 'done', failed: 'failed', cancelled: 'stopped' })[one.state];
