// SPDX-License-Identifier: Apache-2.0
/** Servers by file system and score, and the colours of scores and shares. */
import type { LoadAnswer, LoadRow } from '../../../lib/api';

export interface LoadGroup {
  filesystem: string;
  servers: LoadRow[]; // the busiest first; those of which nothing was measured last
  median: number | null;
}

const byScore = (a: LoadRow, b: LoadRow): number => (b.score ?? -1) - (a.score ?? -1) || a.server.localeCompare(b.server, 'en', { numeric: true });

export function groupsOf(load: LoadAnswer): LoadGroup[] {
  const names = [...new Set(load.servers.map((one) => one.filesystem))].sort();
  return names.map((filesystem) => {
    const servers = load.servers.filter((one) => one.filesystem === filesystem).sort(byScore);
    const scores = servers.flatMap((one) => (one.score === null ? [] : [one.score]));
    return { filesystem, servers, median: scores[Math.floor(scores.length / 2)] ?? null };
  });
}

/** From the score of idle servers to the highest of all, at least half a time longer. */
export function scoreRange(load: LoadAnswer): [low: number, high: number] {
  const scores = load.servers.flatMap((one) => (one.score === null ? [] : [one.score]));
  const low = Math.min(...scores, load.weights[0] ?? 1);
  return [low, Math.max(low + 0.5, ...scores)];
}

const steps = 7;
const step = (share: number): string => `var(--ramp-${Math.min(steps - 1, Math.max(0, Math.floor(share * steps)))})`;
export const scoreColour = (score: number | null, [low, high]: [number, number]): string => (score === null ? 'transparent' : step((score - low) / (high - low)));
/** Nothing at all has no colour. */
export const shareColour = (share: number): string => (share <= 0 ? 'transparent' : step(Math.sqrt(share)));

/** Lower bounds of the steps, for a legend. */
export const legend = ([low, high]: [number, number]): { colour: string; from: number }[] => Array.from({ length: steps }, (_, i) => ({ colour: `var(--ramp-${i})`, from: low + ((high - low) * i) / steps }));
