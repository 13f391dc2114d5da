// SPDX-License-Identifier: Apache-2.0
/** What the server tells without being asked: stores that grow, simulations that go on. */
import { SvelteMap } from 'svelte/reactivity';
import type { StoreEntry, StoreEvent } from '../lib/api';
import { listen } from './events';

const stores = new SvelteMap<string, StoreEvent>();
const met = new Map<string, StoreEvent | number>(); // the last event of a store; before the first its commit as the catalog said
const listeners = new Map<string, Set<(data: unknown) => void>>();
let connected = $state(false);
let returns = $state(0); // of the server, after it was gone

export const live = {
  get connected(): boolean {
    return connected;
  },
  get returns(): number {
    return returns;
  },
  /** The newest event that changed a store; a page that reads it is asked again when the store has grown. */
  store: (id: string): StoreEvent | undefined => stores.get(id),
};

/** Other kinds of events: on('simulation', ...). Returns how to stop. */
export function on(type: string, heard: (data: unknown) => void): () => void {
  const set = listeners.get(type) ?? new Set();
  listeners.set(type, set.add(heard));
  return () => set.delete(heard);
}

/** Stores as the catalog has them: whatever is asked afterwards is as new as this, so an event that says the same changes nothing. */
export function meet(entries: StoreEntry[]): void {
  for (const { id, commit } of entries) if (!met.has(id)) met.set(id, commit);
}

/** Whether pages have to ask again. */
function isNews(event: StoreEvent): boolean {
  const before = met.get(event.store);
  met.set(event.store, event);
  if (before === undefined) return true;
  if (typeof before === 'number') return event.commit !== before;
  return event.commit !== before.commit || event.overview.ready !== before.overview.ready || event.machine.ready !== before.machine.ready;
}

const often = 3000; // milliseconds: no page is drawn anew more often than that
const due = new Map<string, StoreEvent>();
let lastTaken = -Infinity;

function take(event: StoreEvent): void {
  const runs = due.size > 0; // the timer
  due.set(event.store, event);
  if (runs) return;
  setTimeout(() => {
    lastTaken = performance.now();
    for (const [id, one] of due) stores.set(id, one);
    due.clear();
  }, Math.max(0, lastTaken + often - performance.now()));
}

export function startListening(): () => void {
  let seen = false;
  return listen('/events', ({ type, data }) => {
    let said: unknown;
    try {
      said = JSON.parse(data);
    } catch {
      return;
    }
    if (type === 'store' && isNews(said as StoreEvent)) take(said as StoreEvent);
    listeners.get(type)?.forEach((heard) => heard(said));
  }, (now) => {
    if (now && seen) returns++;
    if (now) seen = true;
    connected = now;
  });
}
