// SPDX-License-Identifier: Apache-2.0
/** What the numbers say, as sentences. */
import type { Pair, Population, Single } from '../lib/data';
import { bytes, count, percent, threshold, written } from '../lib/units';

/** "Bytes read" within a sentence: "bytes read"; "I/O intensity" and "IOPS" stay. */
export const within = (label: string): string => (/^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label);

/** Amounts of which a share can be had; of a rate or a mean size it would say nothing. */
export const addsUp = (key: string): boolean => key === 'bytes' || key === 'ops' || key.startsWith('volume_');

/** "1 job", "2,013 jobs" */
export const jobs = (n: number): string => (n === 1 ? '1 job' : `${count(n)} jobs`);

/** Fewer jobs than this are no population: nothing is said of four in five of them. */
const few = 5;

/** What the figure of a pair shows, in a sentence or two. */
export function pairSentence({ key, x, y }: Pair): string {
  if (x.n < few || y.n < few) return '';
  const said: string[] = [];
  if (addsUp(key) && x.top20_share !== null && y.top20_share !== null) {
    said.push(`20 % of the jobs are responsible for ${percent(x.top20_share)} of the ${within(x.label)} and ${percent(y.top20_share)} of the ${within(y.label)}.`);
  }
  if (x.p80 !== null && y.p80 !== null) {
    said.push(`Four of five jobs stay at or below ${written(x.p80, x.unit)} (${within(x.label)}) and ${written(y.p80, y.unit)} (${within(y.label)}).`);
  }
  return said.join(' ');
}

export interface KeyFigure {
  number: string;
  sentence: string; // with the number in it: it can be quoted alone
}

function concentration(population: Population): KeyFigure[] {
  const pair = population.pairs.find((one) => one.key === 'bytes');
  if (!pair) return [];
  return [pair.x, pair.y].flatMap((axis) =>
    axis.top20_share === null
      ? []
      : [{ number: percent(axis.top20_share), sentence: `20 % of the jobs are responsible for ${percent(axis.top20_share)} of the ${within(axis.label)}.` }],
  );
}

function activity(population: Population): KeyFigure[] {
  const row = population.table2.at(-1);
  const write = row?.intensity[1] ?? null;
  if (!row || write === null) return [];
  return [{ number: percent(write), sentence: `Four of five jobs write during at most ${percent(write)} of their run time (${threshold(row.threshold)}).` }];
}

function smallRequests(population: Population): KeyFigure[] {
  const row = population.small[0];
  if (!row || row.read === null) return [];
  const also = row.write === null ? '' : ` and ${percent(row.write)} of the write requests`;
  return [{ number: percent(row.read), sentence: `${percent(row.read)} of the read requests${also} are ${bytes(row.size)} or smaller.` }];
}

function peak(population: Population): KeyFigure[] {
  const write = population.volume_vs_bandwidth.at(-1);
  if (!write?.peak || !write.y.max) return [];
  const share = percent(write.y.max / write.peak);
  return [{ number: share, sentence: `The fastest writing job reached ${share} of the machine's peak of ${written(write.peak, 'bytes/s')}.` }];
}

function busiest(population: Population): KeyFigure[] {
  const totals = population.servers.map((one) => one.read_bytes + one.write_bytes);
  const sum = totals.reduce((a, b) => a + b, 0);
  const most = Math.max(0, ...totals);
  if (totals.length < 2 || sum === 0) return [];
  const times = (most / (sum / totals.length)).toFixed(1);
  return [{ number: `${times} ×`, sentence: `The busiest of the ${count(totals.length)} servers moved ${bytes(most)}, ${times} times the mean.` }];
}

export function keyFigures(population: Population): KeyFigure[] {
  if (population.jobs < few) return [];
  return [concentration, activity, smallRequests, peak, busiest].flatMap((of) => of(population));
}

/** Singles by the section that shows them: what jobs are like, activity above a threshold, small requests. */
export function sortSingles(singles: Single[]): { jobs: Single[]; active: Single[]; small: Single[] } {
  const small = singles.filter((single) => single.id === '2.2');
  const active = singles.filter((single) => single.threshold !== null);
  return { jobs: singles.filter((single) => !small.includes(single) && !active.includes(single)), active, small };
}

/** Opens and closes should be equal; where they are not, files were left open or a counter missed something. */
export function opensSentence({ more_opens, more_closes, equal, p80_relative_difference }: Population['opens_closes']): string {
  const all = more_opens + more_closes + equal;
  if (all === 0) return 'No opens or closes were counted.';
  const differ = p80_relative_difference === null ? '' : ` In four of five jobs they differ by at most ${percent(p80_relative_difference)}.`;
  return `Opens and closes agree in ${percent(equal / all)} of the jobs; ${jobs(more_opens)} opened more often than closed, ${jobs(more_closes)} closed more often.${differ}`;
}
