// SPDX-License-Identifier: Apache-2.0
/** What each criterion means, in a sentence. */

const criteria: Record<string, string> = {
  '1.1': 'How much it reads and writes: the bytes of all units together. Data that is read twice counts twice.',
  '1.2': 'How many read and write operations it makes, over all units.',
  '1.3': 'How fast it is: at best, in the busiest step of the counters, and on average over its run time.',
  '1.4': 'How many operations a second it makes: at best and on average.',
  '1.5': 'Opens, closes and other operations on files. Opens and closes should agree.',
  '1.6': 'The share of its run time in which at least one unit moves more than the threshold.',
  '1.7': 'How many requests for metadata it makes (opening, closing, looking up, changing attributes, ...), and how many a second.',
  '2.1': 'How large its requests are. Counters give the mean of each step, not single requests.',
  '2.2': 'Which part of its requests is at most this large. Many small ones are slow on parallel file systems.',
  '2.3': 'Whether its requests have the same size from run to run.',
  '2.4': 'Which part of what it moves is reading.',
  '2.5': 'Whether reading or writing dominates, step by step.',
  '2.6': 'Whether each task has files of its own, or all share some.',
  '2.7': 'Whether requests follow each other in the file, jump evenly, or at random.',
  '2.8': 'How its traffic is spread over its run time.',
  '2.9': 'Near 1 where short moments of I/O are parted by long pauses, 0 where I/O never stops.',
  '2.10': 'Whether the same places are read or written again.',
  '2.11': 'Whether phases of reading or writing come again after a fixed time.',
  '3.1': '1 when all its units are active at once, 0 when only one is at any time.',
  '3.2': 'Which share of its units is active, step by step.',
  '3.3': 'How evenly its traffic is spread over its units.',
  '3.4': 'How many processes are in one file at the same time.',
  '4.1': 'How its I/O grows with the size of the problem, as its people say.',
  '4.2': 'Libraries and interfaces that it uses for I/O, as its people say.',
  '4.3': 'Whether its people would change its I/O.',
  '4.4': 'What its I/O is for: input, results, checkpoints.',
  '4.5': 'Whether tasks wait for each other’s data.',
};

/** '' where nothing is said of it. */
export const explainCriterion = (id: string): string => criteria[id] ?? '';
