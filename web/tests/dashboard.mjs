// SPDX-License-Identifier: Apache-2.0
/**
 * Opens the dashboard in Chromium with a made-up server: every page, its numbers, and what can be done on it.
 *   node dashboard.mjs BUILT_DASHBOARD FOLDER [PART ...]     all parts but how pages look, or some: frame, machine, ..., looks, looks_everywhere
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { findChromium, launch } from './browser.mjs';
import { downloads, frame, keyboard, live, looks, states, theme, token } from './dashboard_frame.mjs';
import { applications, job, jobs, machine, population } from './dashboard_pages.mjs';
import { pack } from './dashboard_pack.mjs';
import { startMock } from './mock_api.mjs';

const [built, out, ...parts] = process.argv.slice(2);
if (!built || !out) throw new Error('usage: node dashboard.mjs BUILT_DASHBOARD FOLDER');
const folder = resolve(out);
pack(built);
const chromium = findChromium();
if (!chromium) {
  console.log('SKIPPED: there is no chromium on the PATH; install it (tools/setup does) to test the dashboard in a browser');
  process.exit(77);
}
mkdirSync(folder, { recursive: true });

const mock = await startMock(resolve(built));
const browser = await launch(chromium);
try {
  for (const test of [frame, machine, population, jobs, job, applications, theme, keyboard, downloads, token, states, live]) {
    if (parts.length > 0 && !parts.includes(test.name)) continue;
    await test(browser, mock);
    console.log(`${test.name} holds`);
  }
  if (parts.includes('looks') || parts.includes('looks_everywhere')) await looks(browser, mock, folder, parts.includes('looks_everywhere'));
  assert.equal(mock.settings.token, null);
  console.log(`the dashboard holds; pictures are in ${folder}`);
} finally {
  await browser.close();
  mock.stop();
}
