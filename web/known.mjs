// SPDX-License-Identifier: Apache-2.0
/** What was made or checked of some files once is known by their content, in ~/.cache/fathom, and not done again, in any clone. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const here = import.meta.dirname;
export const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'fathom');

/** All files below a folder of web/. @param {string} folder @returns {string[]} */
export const filesOf = (folder) =>
  readdirSync(join(here, folder), { recursive: true, withFileTypes: true }).filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name).slice(here.length + 1));

/** A hash of files of web/, and of the packages: those of the lock, tools/setup sees to it. @param {string} subject @param {string[]} names */
export function markOf(subject, names) {
  const whole = createHash('sha256').update(`${subject} ${process.version}\n`);
  for (const name of ['package-lock.json', ...names].sort()) whole.update(`${name} ${createHash('sha256').update(readFileSync(join(here, name))).digest('hex')}\n`);
  return `${subject}-${whole.digest('hex').slice(0, 24)}`;
}
