// SPDX-License-Identifier: Apache-2.0
/**
 * How long a running dashboard takes to show its pages: node page_times.mjs ADDRESS STORE. Each page is opened twice in one browser; the second time counts, from the request to the
 * moment at which nothing is on its way any more. Writes {"pages": {NAME: seconds}, "initial_bytes"} as JSON.
 */
import { findChromium, launch } from './browser.mjs';

const [address, store] = process.argv.slice(2);
const chromium = findChromium();
if (!address || !store || !chromium) throw new Error('usage: node page_times.mjs ADDRESS STORE, with chromium on the PATH');
const job = (await (await fetch(`${address}/api/v1/stores/${store}/jobs?sort=-read_bytes&limit=1`)).json()).rows[0]?.job_id;
const inStore = (/** @type {string} */ page) => `/stores/${store}/${page}`;
const pages = { home: '/', machine: inStore('machine'), population: inStore('population'), jobs: inStore('jobs'), job: inStore(`jobs/${job}`), applications: inStore('applications'), advice: inStore('advice'), compete: '/compete', 'what-if': '/what-if' };
const browser = await launch(chromium);
const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });

/** Seconds until a page is whole. @param {string} path */
async function open(path) {
  const page = await context.newPage();
  let bytes = 0;
  page.on('response', async (response) => {
    if (!response.url().includes('/api/')) bytes += Number(response.headers()['content-length'] ?? 0);
  });
  const begin = performance.now();
  await page.goto(`${address}${path}`, { waitUntil: 'commit' });
  await page.waitForFunction(() => document.querySelector('main h1, main h2') && !document.querySelector('.loading, [aria-busy="true"]'), undefined, { timeout: 60_000, polling: 20 });
  const seconds = (performance.now() - begin) / 1000;
  await page.close();
  return { seconds, bytes };
}

/** @type {Record<string, number>} */
const times = {};
const initial = (await open('/')).bytes;
for (const [name, path] of Object.entries(pages)) {
  await open(path);
  times[name] = (await open(path)).seconds;
}
await browser.close();
console.log(JSON.stringify({ pages: times, initial_bytes: initial }));
