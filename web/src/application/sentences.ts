// SPDX-License-Identifier: Apache-2.0
/** What is known of an application in words: states, verdicts, evidence. */
import type { ApplicationData, Limits, PatternData, State, Verdict, View } from '../lib/application_data';
import { count, duration, percent } from '../lib/units';

const gap = '\u00a0';

export const states: Record<State, string> = {
  validated: 'Enough runs show a pattern that is its own.',
  'watch list': 'A pattern that seems to be its own was seen, but in too few runs so far.',
  rejected: 'Something regular was seen in its runs, but nothing says that it is the application’s own.',
  unknown: 'Nothing regular is known of it.',
};

export const verdicts: Record<Verdict, string> = {
  valid: 'passes all tests',
  rare: 'in too few of its runs',
  irregular: 'not regular enough',
  chance: 'may be chance: the time without it shows too much of it',
  'out of scope': 'goes on before and after its runs: somebody else’s',
};

export const fileSystem = (name: string): string => (name === '' ? 'all file systems' : name);
export const doing = ({ direction, filesystem }: PatternData | View): string => `${direction === 'read' ? 'reads from' : 'writes to'} ${fileSystem(filesystem)}`;

/** 1,812 s; 600.4 s; 77.35 s */
export const period = (seconds: number): string => `${Number(seconds.toFixed(seconds >= 1000 ? 0 : seconds >= 100 ? 1 : 2)).toLocaleString('en-US')}${gap}s`;
/** The same for people, and how well it is known: 30.2 min, ± 0.54 s. */
export const periodMore = ({ period: seconds, period_error }: PatternData): string =>
  [...(seconds >= 120 ? [duration(seconds)] : []), ...(period_error === null ? [] : [`±${gap}${Number(period_error.toPrecision(2)).toLocaleString('en-US', { maximumFractionDigits: 6 })}${gap}s`])].join(', ');

const raised = (whole: number): string => String(whole).replace(/[-\d]/g, (sign) => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(sign)] ?? '');

/** A probability by its logarithm: 0.003, 3 × 10⁻⁸. */
export function probability(log10: number | null): string {
  if (log10 === null) return '–';
  if (log10 > -3.5) return String(Number((10 ** log10).toPrecision(1)));
  const power = Math.floor(log10);
  const front = Math.round(10 ** (log10 - power));
  return front >= 10 ? `1${gap}×${gap}10${raised(power + 1)}` : `${front}${gap}×${gap}10${raised(power)}`;
}

const share = (value: number | null): string => (value === null ? '–' : percent(value));

export interface Evidence {
  question: string;
  meaning: string;
  wanted: string;
  found: (pattern: PatternData) => string;
}

/** Near 1 the distance from it is what counts. */
export const sure = (confidence: number): string => `${(100 * confidence).toFixed(confidence > 0.99 ? 2 : confidence > 0.9 ? 1 : 0)}${gap}%`;

export function evidence(limits: Limits): Evidence[] {
  return [
    {
      question: 'Runs that show it', found: (pattern) => `${count(pattern.shown)} of ${count(pattern.judged)}`, wanted: `${percent(limits.common)}, and ${limits.support} runs`,
      meaning: 'Of the runs that are long enough. What an application does, most of its runs do; half a standard error less is allowed.',
    },
    {
      question: 'Even steps', found: (pattern) => `${share(pattern.steady)}, ${share(pattern.shuffled_steady)} in disorder; p${gap}=${gap}${probability(pattern.log10_disorder)}`, wanted: `p ≤ ${probability(limits.log10_disorder)}`,
      meaning: 'Steps from burst to burst that are a whole number of periods, and how many would be if the same bursts came in disorder; p is how likely that is to give as many. With few runs less is asked.',
    },
    {
      question: 'Variation of steps', found: (pattern) => share(pattern.jitter), wanted: `${percent(limits.jitter)} at most`,
      meaning: 'Of the time between bursts. More is allowed where the counters are coarse, and up to twice as much where even steps are no chance at all (p ≤ 10⁻¹⁰).',
    },
    {
      question: 'Typical bursts used', found: (pattern) => share(pattern.used), wanted: `${percent(limits.used)} at least`,
      meaning: 'If many bursts of this size stay outside the pattern, it is only every n-th burst of another one.',
    },
    {
      question: 'The same elsewhere', found: (pattern) => `${share(pattern.elsewhere)} of the time; p${gap}=${gap}${probability(pattern.log10_chance)}`, wanted: `p ≤ ${probability(limits.log10_chance)}, or a confidence of ${sure(limits.sure)}`,
      meaning: 'Stretches without the application that show it too, and how likely it is then (p) that so many runs show it by chance. With few runs less is asked.',
    },
    {
      question: 'Goes on outside its runs', found: (pattern) => pattern.scope_windows === 0 ? 'nowhere to look' : `${count(pattern.scope_hits)} of ${count(pattern.scope_windows)} stretches`, wanted: `fewer than ${percent(limits.scope_share)}`,
      meaning: `Looked at: ${limits.scope_periods} periods before and after each run that shows it. What began before the application is not its own.`,
    },
  ];
}

/** Who it is, in a line. */
export const applicationFacts = (data: ApplicationData): string[] => [
  data.user === '' ? 'user unknown' : `user ${data.user}`, data.name === '' ? 'job without a name' : `job ${data.name}`,
  data.nodes === 0 ? 'number of nodes unknown' : `${count(data.nodes)} ${data.nodes === 1 ? 'node' : 'nodes'}`, `${count(data.runs)} ${data.runs === 1 ? 'run' : 'runs'}`,
];

/** Why there is nothing but a table. */
export const whyEmpty = (data: ApplicationData): string =>
  data.runs === 0 ? 'Nothing to draw: the store has no runs of this application.'
  : data.runs === data.runs_left_out ? 'Nothing to draw: no run of this application has times that can be.'
  : `Nothing to draw: no bursts come again and again in its ${data.runs === 1 ? 'only run' : `${count(data.runs)} runs`} (${data.reason}).`;

const letters: Record<string, string> = { y: 'yes', n: 'no', s: 'too short', l: 'too late to count yet', a: 'bursts of another run', x: 'left out' };
export const showsText = (letter: string | undefined): string => letters[letter ?? ''] ?? '–';
