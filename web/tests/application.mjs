// SPDX-License-Identifier: Apache-2.0
/**
 * Opens the page of one application in Chromium with made-up data and looks whether all of it is there.
 *   node application.mjs EMBED_REPORT FOLDER
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { begin, launch, openPage, textOf } from './browser.mjs';
import { littleApplications, sampleApplication } from './sample_application.mjs';

const { folder, chromium, write } = begin('application');

/** @param {import('playwright-core').Page} page @param {string[]} facts */
async function says(page, facts) {
  const text = await textOf(page);
  for (const fact of facts) assert(text.includes(fact), `the page does not say: ${fact}`);
  assert(!/\b(NaN|undefined|Infinity|null)\b/.test(text), 'NaN and the like');
}

/** @param {import('playwright-core').Browser} browser */
async function wholePage(browser) {
  const data = sampleApplication();
  const [first, second] = data.patterns;
  const view = data.views[0];
  assert(first && second && view);
  const { url, bytes } = write('application', data);
  assert(bytes < 310_000, `the page without data has ${bytes} bytes, 310,000 is the limit`);
  const { page, troubles } = await openPage(browser, url);
  await says(page, [
    data.title, 'validated', 'provisional', 'confidence 99.80 %', '128 nodes', '242 runs', 'Pattern 1 writes to scratch', 'Pattern 3 reads from home', '1,812 s 30.2 min, ± 0.54 s', '262 GiB', '160.0 servers', '77.35 s',
    `${first.shown} of ${first.judged}`, '60 of 240 runs are drawn, evenly chosen', '2,000 of 11,264 others', '4 × 10⁻³¹³', '3 of 214 stretches', 'Figure 13.', 'left out',
  ]);
  // Every point of the first view is there, in the shape and colour of its pattern.
  const own = view.scatter.points.filter((point) => point[2] > 0);
  const scatter = page.locator('figure').first();
  assert.equal(await scatter.locator('svg .own path').count(), own.length);
  assert.equal(await scatter.locator('svg .others circle').count(), 2000);
  for (const number of [1, 2]) assert.equal(await scatter.locator(`svg .own path[fill="var(--app-${number - 1})"]`).count(), own.filter((point) => point[2] === number).length, `pattern ${number}`);
  const shapes = await scatter.locator('svg .own path').evaluateAll((all) => all.map((one) => `${one.getAttribute('fill')} ${one.getAttribute('d')}`));
  assert.equal(new Set(shapes).size, 2, 'one shape for each pattern');
  // Runs: those without a pattern are outlined, marks are where the bursts are.
  const strips = page.locator('figure').nth(1);
  const without = view.strips.runs.filter((run) => !run.shows.slice(0, 2).includes('y'));
  assert(without.length > 0, 'the sample has runs without a pattern');
  assert.equal(await strips.locator('svg .without rect').count(), without.length);
  assert.equal(await strips.locator('svg .with rect').count(), 60 - without.length);
  for (const number of [1, 2]) assert.equal(await strips.locator(`svg .pattern-${number} > *`).count(), view.strips.runs.reduce((sum, run) => sum + (run.columns[number]?.length ?? 0), 0), `marks of pattern ${number}`);
  const label = await strips.locator('svg .without rect title').first().textContent();
  assert.match(label ?? '', /^job \d+, 2016-12-\d\d \d\d:\d\d UTC, .*: (not seen|too short|its bursts are those of another run at the same time)$/);
  // Missing bursts show at two periods.
  const steps = await page.locator('#evidence figure').first().locator('svg .bars rect').evaluateAll((all) => all.map((one) => one.querySelector('title')?.textContent ?? ''));
  assert.equal(steps.length, first.steps.counts.filter((n) => n > 0).length);
  assert(steps.some((text) => /^2\.00 periods: \d+ steps$/.test(text)));
  assert.equal(await page.locator('#refinement svg .before').count(), 3);
  assert.equal(await page.locator('#runs tbody tr').count(), 20);
  await page.getByRole('button', { name: 'show all 242 rows' }).click();
  assert.equal(await page.locator('#runs tbody tr').count(), 242);
  for (const picture of await page.locator('svg[role=img]').all()) assert(((await picture.getAttribute('aria-label')) ?? '').length > 10, 'a label for those who do not see it');
  assert.deepEqual(troubles, []);
  await page.close();
  return url;
}

/** In both themes, and on a telephone. @param {import('playwright-core').Browser} browser @param {string} url */
async function looks(browser, url) {
  for (const width of [1280, 390]) {
    for (const dark of [false, true]) {
      const { page, troubles } = await openPage(browser, url, { width, dark });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(overflow, 0, `at ${width} pixels the page is wider than the window`);
      await page.screenshot({ path: join(folder, `application-${width}-${dark ? 'dark' : 'light'}.png`), fullPage: true });
      if (width === 1280 && dark) await page.pdf({ path: join(folder, 'application.pdf'), format: 'A4' });
      assert.deepEqual(troubles, []);
      await page.close();
    }
  }
}

/** @param {import('playwright-core').Browser} browser */
async function littleData(browser) {
  /** @type {Record<string, string[]>} */
  const wanted = {
    application_nothing_regular: ['unknown', 'no bursts come again and again in its 2 runs', '2016-12-01 00:00 UTC'],
    application_no_runs: ['the store has no runs of this application', 'user unknown'],
    application_impossible: ['no run of this application has times that can be'],
    application_no_servers: ['rejected', 'servers not known', 'there are no bursts in its runs', 'which servers take part', 'nowhere to look', '0.5'],
  };
  for (const [name, data] of Object.entries(littleApplications())) {
    const { page, troubles } = await openPage(browser, write(name, data).url);
    await says(page, ['Nothing to draw', ...(wanted[name] ?? [])]);
    assert.deepEqual(troubles, [], name);
    await page.close();
  }
}

/** Names are text, whatever is in them. @param {import('playwright-core').Browser} browser */
async function badNames(browser) {
  const data = sampleApplication();
  data.name = data.title = '</script><img src=x onerror=alert(1)>';
  for (const view of data.views) for (const run of view.strips.runs) run.job = `<b>${'9'.repeat(400)}`;
  const { page, troubles } = await openPage(browser, write('application_bad_names', data).url);
  await says(page, [data.name]);
  assert.equal(await page.locator('img').count(), 0);
  assert.deepEqual(troubles, []);
  await page.close();
}

const browser = await launch(chromium);
try {
  const url = await wholePage(browser);
  await looks(browser, url);
  await littleData(browser);
  await badNames(browser);
  console.log(`the page of an application holds; pages and pictures are in ${folder}`);
} finally {
  await browser.close();
}
