// SPDX-License-Identifier: Apache-2.0
/**
 * Opens the pages of `fathom simulate` in Chromium with made-up data and looks whether all of it is there.
 *   node what_if.mjs EMBED_REPORT FOLDER
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { begin, launch, openPage, textOf } from './browser.mjs';
import { emptyPages, sampleComparison, sampleSweep, sampleVerification } from './sample_what_if.mjs';

const { folder, chromium, write } = begin('what_if');

/** @param {import('playwright-core').Page} page @param {string[]} facts */
async function says(page, facts) {
  const text = await textOf(page);
  for (const fact of facts) assert(text.includes(fact), `the page does not say: ${fact}`);
  assert(!/\b(NaN|undefined|Infinity|null)\b/.test(text), 'NaN and the like');
}

/** @param {import('playwright-core').Browser} browser */
async function comparison(browser) {
  const data = sampleComparison();
  const { url, bytes } = write('what_if', data);
  assert(bytes < 340_000, `the page without data has ${bytes} bytes, 340,000 is the limit`);
  const { page, troubles } = await openPage(browser, url);
  await says(page, [data.title, ...data.notes, '600 I/O nodes', 'burst_buffer.size 0 → 64 GiB', '44,400 EUR, originally 60,000 EUR', 'written full 11.2 times a day', '97 %', 'Figure 3.', '1782577']);
  assert.equal(await page.locator('svg .bars').first().locator('rect').count(), 600, 'a column for each I/O node');
  assert.equal(await page.locator('svg .changed circle').count(), 600, 'a dot for each I/O node');
  const slower = data.comparison?.nodes.filter((one) => one.changed > one.original).length ?? 0;
  await says(page, [`slower: ${slower}`, `faster: ${600 - slower}`]);
  const heights = () => page.locator('svg .bars').first().locator('rect').evaluateAll((all) => all.map((one) => Number(one.getAttribute('height'))));
  const before = await heights();
  await page.getByRole('button', { name: 'busiest first' }).click();
  const after = await heights();
  assert.notDeepEqual(after, before);
  assert.deepEqual(after, [...after].sort((a, b) => b - a), 'the columns fall from left to right');
  assert.deepEqual(troubles, []);
  await page.close();
  return url;
}

/** @param {import('playwright-core').Browser} browser */
async function sweep(browser) {
  const data = sampleSweep();
  const { url } = write('what_if_sweep', data);
  const { page, troubles } = await openPage(browser, url);
  await says(page, ['Cost and slowdown', 'cost in EUR', 'average run time, new / original', '1Gbit/s, 0GiB', 'years until worn out', '6,000 EUR']);
  const front = () => page.locator('svg .points path[fill="var(--mark)"]').count();
  const wanted = (/** @type {'io' | 'run'} */ by) => data.sweep?.points.filter((point) => point[`${by}_front`]).length ?? 0;
  assert.equal(await page.locator('svg .points path').count(), 16, 'a mark for each combination');
  assert.equal(await front(), wanted('run'));
  assert(wanted('run') > 1 && wanted('run') < 16, 'the sample has a front');
  await page.getByRole('button', { name: 'I/O time' }).click();
  await says(page, ['average I/O time, new / original']);
  assert.equal(await front(), wanted('io'));
  assert.deepEqual(troubles, []);
  await page.close();
  return url;
}

/** @param {import('playwright-core').Browser} browser */
async function verification(browser) {
  const { url } = write('what_if_verification', sampleVerification());
  const { page, troubles } = await openPage(browser, url);
  await says(page, ['bytes read', '425,227', 'off by 13 %', 'I/O node R00-M0-N00', 'Bins of 4 min']);
  const lines = () => page.locator('svg .simulated path').evaluateAll((all) => all.map((one) => one.getAttribute('d')));
  const first = await lines();
  assert.equal(first.length, 2, 'a line for reading and one for writing');
  await page.getByRole('combobox').selectOption({ index: 1 });
  await says(page, ['Real and simulated counters of I/O node R01-M0-N00']);
  assert.notDeepEqual(await lines(), first);
  assert.deepEqual(troubles, []);
  await page.close();
  return url;
}

/** In both themes, and on a telephone. @param {import('playwright-core').Browser} browser @param {Record<string, string>} urls */
async function looks(browser, urls) {
  for (const [name, url] of Object.entries(urls)) {
    for (const width of [1280, 390]) {
      for (const dark of [false, true]) {
        const { page, troubles } = await openPage(browser, url, { width, dark });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(overflow, 0, `${name}: at ${width} pixels the page is wider than the window`);
        await page.screenshot({ path: join(folder, `${name}-${width}-${dark ? 'dark' : 'light'}.png`), fullPage: true });
        if (width === 1280 && dark) await page.pdf({ path: join(folder, `${name}.pdf`), format: 'A4' });
        assert.deepEqual(troubles, []);
        await page.close();
      }
    }
  }
}

/** @param {import('playwright-core').Browser} browser */
async function littleData(browser) {
  for (const [name, data] of Object.entries(emptyPages())) {
    const { page, troubles } = await openPage(browser, write(name, data).url);
    await says(page, ['Nothing to draw']);
    assert.deepEqual(troubles, [], name);
    await page.close();
  }
  const { page, troubles } = await openPage(browser, write('what_if_no_prices', /** @type {import('../src/lib/what_if_data').WhatIfData} */ (emptyPages()['what_if_no_prices'])).url);
  await says(page, ['no [cost] table', '1 of 4 combinations were done']);
  assert.deepEqual(troubles, []);
  await page.close();
}

const browser = await launch(chromium);
try {
  const urls = { what_if: await comparison(browser), what_if_sweep: await sweep(browser), what_if_verification: await verification(browser) };
  await looks(browser, urls);
  await littleData(browser);
  console.log(`the pages of simulations hold; pages and pictures are in ${folder}`);
} finally {
  await browser.close();
}
