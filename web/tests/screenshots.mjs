// SPDX-License-Identifier: Apache-2.0
/** Pictures of the dashboard for the documentation: node screenshots.mjs ADDRESS FOLDER NAME=PATH... */
import { join } from 'node:path';
import { findChromium, launch } from './browser.mjs';

const [address, folder, ...views] = process.argv.slice(2);
const chromium = findChromium();
if (!address || !folder || views.length === 0 || !chromium) throw new Error('usage: node screenshots.mjs ADDRESS FOLDER NAME=PATH..., with chromium on the PATH');
const browser = await launch(chromium);
const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, timezoneId: 'UTC' });
for (const view of views) {
  const [name, path] = [view.slice(0, view.indexOf('=')), view.slice(view.indexOf('=') + 1)];
  await page.goto(`${address}${path}`);
  await page.waitForFunction(() => document.querySelector('main h1') && !document.querySelector('.loading, [aria-busy="true"]'), undefined, { timeout: 60_000 });
  await page.waitForTimeout(500); // for what fades in
  await page.screenshot({ path: join(folder, `dashboard-${name}.png`) });
}
await browser.close();
