// SPDX-License-Identifier: Apache-2.0
/**
 * Builds a page, or takes it from where it was built before of the same source: the release build, those with sanitizers and other clones have the same pages.
 *   node build_page.mjs PAGE FOLDER     report, slices, what_if, application: FOLDER/PAGE.html; dashboard: FOLDER, whole
 * What was built is kept in ~/.cache/fathom/pages, the newest of it.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cache, filesOf, here, markOf } from './known.mjs';

const [page, out] = process.argv.slice(2);
if (!page || !out) throw new Error('usage: node build_page.mjs PAGE FOLDER');
const folder = resolve(out);
const kept = join(cache, 'pages');
const most = 50; // builds that are kept

/** @param {string} target */
async function build(target) {
  const { build: vite } = await import('vite');
  await vite({ root: here, mode: page, logLevel: 'warn', build: { outDir: target, emptyOutDir: false } });
}

/** Keeps what was built for the next time; a full or read-only disk only means that it is built again. @param {string} built @param {string} name */
function keep(built, name) {
  try {
    mkdirSync(kept, { recursive: true });
    const coming = mkdtempSync(join(kept, 'coming-'));
    cpSync(built, join(coming, name), { recursive: true });
    if (!existsSync(join(kept, name))) renameSync(join(coming, name), join(kept, name));
    rmSync(coming, { recursive: true });
    const byAge = readdirSync(kept).map((one) => ({ one, used: statSync(join(kept, one)).mtimeMs })).sort((a, b) => b.used - a.used);
    for (const { one } of byAge.slice(most)) rmSync(join(kept, one), { recursive: true, force: true });
  } catch (problem) {
    console.warn(`build_page: not kept: ${problem instanceof Error ? problem.message : problem}`);
  }
}

const name = markOf(page, [`${page}.html`, 'vite.config.ts', 'vite_pack.ts', 'svelte.config.js', 'LICENSES.md', 'build_page.mjs', ...filesOf('src')]);
const known = join(kept, name);
if (page === 'dashboard') rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
if (existsSync(known)) {
  cpSync(known, folder, { recursive: true });
  try {
    utimesSync(known, new Date(), new Date());
  } catch {
    // Not ours to write: then it does not count as used.
  }
} else {
  const scratch = mkdtempSync(join(folder, `.${page}-`));
  try {
    await build(scratch);
    keep(scratch, name);
    cpSync(scratch, folder, { recursive: true });
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
