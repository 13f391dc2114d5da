// SPDX-License-Identifier: Apache-2.0
/** What flags and link strategies mean, in a sentence each. */

const flags: Record<string, [label: string, meaning: string]> = {
  low_coverage: ['low coverage', "part of the job's time was not measured on its servers: volumes and activity are lower bounds"],
  wide_band: ['uncertain volume', 'the samples at the ends of the job are large compared with the job itself: its volumes are uncertain'],
  reset: ['counter reset', 'a counter was set to zero while the job ran: what was counted just before is lost'],
  gap: ['gap', 'samples are missing for a while: the bytes of that time are known, but not when they were moved'],
  boundary: ['boundary', 'samples at the ends of the job reach beyond it: its maximum may come from squeezing them into the job'],
  window: ['upper bound', 'all traffic of the file system while the job ran is shown, that of other jobs too'],
};

export function explainFlag(flag: string): { label: string; meaning: string } {
  const [label, meaning] = flags[flag] ?? [flag.replaceAll('_', ' '), ''];
  return { label, meaning };
}

const links: Record<string, string> = {
  weighted: 'A sample that several jobs overlap is divided among them by the time of overlap.',
  discard: 'A sample that several jobs overlap is given to none of them.',
  'double-count': 'A sample that several jobs overlap is given to each of them in full.',
  simple: 'A sample belongs to the job that ran when it ended.',
  window: 'Servers are shared: a job is shown with all traffic while it ran, an upper bound.',
};

export const explainLink = (link: string): string => links[link] ?? '';
