// SPDX-License-Identifier: Apache-2.0
/**
 * The pages of traces and of runs side by side, in Chromium against a made-up server.
 *   node dashboard_traces.mjs DASHBOARD FOLDER     pictures are left in FOLDER
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { begin, launch } from './browser.mjs';
import { accessible, open, says } from './dashboard_page.mjs';
import { startMock } from './mock_api.mjs';

const { folder, chromium } = begin();
const built = resolve(process.argv[2] ?? '');
mkdirSync(folder, { recursive: true });

/** @typedef {import('playwright-core').Page} Page */

const wide = { width: 1440 };

/** @param {Page} page @param {string} what */
async function holds(page, what) {
  await says(page, []);
  await accessible(page);
  assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), `${what}: wider than the window`);
}

/** Every shape of the map counts as one picture. @param {Page} page */
const picture = (page) => page.locator('.map canvas').evaluate((canvas) => /** @type {HTMLCanvasElement} */ (canvas).toDataURL());

/** Until the picture is another one. @param {Page} page @param {string} before */
async function another(page, before) {
  for (let i = 0; i < 100; i++) {
    if ((await picture(page)) !== before) return;
    await page.waitForTimeout(50);
  }
  assert.fail('the map did not change');
}

/** @param {import('playwright-core').Browser} browser @param {string} base */
async function zooming(browser, base) {
  const { page, close } = await open(browser, `${base}/traces/turb-a`, wide);
  await page.waitForSelector('.map canvas');
  await says(page, ['turbulence, run A', '512 ranks', 'Under way at once', 'Where the time of MPI-IO calls goes', 'What should be changed', 'romio_ds_write=disable', 'Bandwidths', 'lower broken']);
  // Of the bandwidths all columns are seen on a small screen too.
  await page.setViewportSize({ width: 1280, height: 900 });
  const beyond = await page.locator('table').last().evaluate((one) => one.scrollWidth - (one.parentElement?.clientWidth ?? 0));
  assert(beyond <= 0, `the table of bandwidths is ${beyond} pixels wider than its card`);
  await page.setViewportSize({ width: wide.width, height: 900 });
  await holds(page, 'trace');
  await page.screenshot({ path: join(folder, 'trace_whole.png'), fullPage: true });
  const whole = await picture(page);
  const box = await page.locator('.map').boundingBox();
  assert(box);
  await page.mouse.move(box.x + box.width / 2, box.y + 60);
  await page.mouse.wheel(0, -300);
  await page.waitForURL(/from=/);
  await another(page, whole);
  const near = new URL(page.url()).searchParams;
  assert(Number(near.get('to')) - Number(near.get('from')) < 420 * 0.5);
  await page.locator('.map').focus();
  await page.keyboard.press('0');
  await page.waitForURL((url) => !url.search.includes('from'));
  await page.mouse.move(box.x + 300, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + 500, box.y + 80, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL(/from=/);
  const dragged = page.url();
  await page.locator('.map').focus();
  await page.keyboard.press('+');
  await page.waitForURL((url) => url.href !== dragged);
  await page.goBack();
  await page.waitForURL(dragged);
  await page.getByRole('button', { name: 'POSIX', exact: true }).click();
  await page.waitForURL(/interface=posix/);
  await close();
}

/** @param {import('playwright-core').Browser} browser @param {string} base */
async function singleCalls(browser, base) {
  const { page, close } = await open(browser, `${base}/traces/flash?from=0.7&to=1.3`, wide);
  await page.waitForSelector('text=Each call is a bar');
  await page.screenshot({ path: join(folder, 'trace_calls.png'), fullPage: true });
  await page.locator('tbody button', { hasText: 'MPI_File_write_at' }).first().click();
  await page.waitForURL(/call=\d+/);
  await page.waitForSelector('.chosen .bar i');
  await says(page, ['MPI_File_write_at', 'fcntl.lock', 'pwrite', 'of its time', 'zoom to it'], 'section.chosen');
  assert.equal(await page.locator('.chosen .bar i').count() % 5, 0);
  await holds(page, 'one call');
  await page.screenshot({ path: join(folder, 'trace_call.png'), fullPage: true });
  await page.getByRole('button', { name: 'close', exact: true }).click();
  await page.waitForURL((url) => !url.search.includes('call='));
  const box = await page.locator('.map').boundingBox();
  assert(box);
  await page.mouse.move(box.x + 84 + (box.width - 106) * 0.2, box.y + 8);
  await close();
  const again = await open(browser, `${base}/traces/flash?from=0.7&to=1.3&call=1`, { dark: true });
  await again.page.waitForSelector('text=Each call is a bar');
  await again.page.screenshot({ path: join(folder, 'trace_calls_dark.png'), fullPage: true });
  await again.page.close();
}

/** @param {import('playwright-core').Browser} browser @param {Awaited<ReturnType<typeof startMock>>} mock */
async function states(browser, mock) {
  const slices = await open(browser, `${mock.url}/traces/small`);
  await slices.page.waitForSelector('text=This run has no single calls.');
  await holds(slices.page, 'slices alone');
  await slices.page.close();
  mock.settings.fails = /map$/;
  const broken = await open(browser, `${mock.url}/traces/flash`);
  await broken.page.waitForSelector('[role=alert]');
  mock.settings.fails = null;
  await broken.page.getByRole('button', { name: 'Try again' }).first().click();
  await broken.page.waitForSelector('.map canvas');
  await broken.page.close();
  const missing = await open(browser, `${mock.url}/traces/nothing`);
  await missing.page.waitForSelector('[role=alert]');
  await missing.page.close();
  mock.settings.empty = true;
  const none = await open(browser, `${mock.url}/compete`);
  await none.page.waitForSelector('text=fathom run --slices -o DIR -- COMMAND');
  await holds(none.page, 'nothing to compare');
  mock.settings.empty = false;
  await none.page.close();
}

/** @param {import('playwright-core').Browser} browser @param {string} base */
async function comparing(browser, base) {
  const { page, close } = await open(browser, `${base}/compete`, wide);
  await page.waitForSelector('text=Choose two runs or more.');
  await page.getByRole('checkbox', { name: 'small', exact: true }).check();
  await page.getByRole('checkbox', { name: 'large', exact: true }).check();
  await page.waitForSelector('text=The model over what was measured');
  await page.waitForURL(/trace=small%2Clarge/);
  await says(page, ['active overlap', '1 : 4.37', 'equal shares per process', 'What each got', 'alone, inferred', 'Choose above which runs show the applications alone']);
  await holds(page, 'compete');
  await page.screenshot({ path: join(folder, 'compete.png'), fullPage: true });
  await page.getByLabel('Run of small alone').selectOption('small-alone');
  await page.waitForURL(/alone=small%3Asmall-alone/);
  await page.getByRole('button', { name: 'read', exact: true }).first().click();
  await page.waitForURL(/direction=read/);
  await close();
  const dark = await open(browser, `${base}/compete?trace=small,large&alone=small:small-alone,large:190`, { dark: true, width: 1000 });
  await dark.page.waitForSelector('text=as predicted');
  const scale = await dark.page.locator('.model-plot svg.plot').evaluate((svg) => svg.getBoundingClientRect().width / /** @type {SVGSVGElement} */ (svg).viewBox.baseVal.width);
  assert(scale < 1.4, `alone in its row the model is drawn ${scale} times as large as its text is meant to be`);
  await dark.page.screenshot({ path: join(folder, 'compete_dark.png'), fullPage: true });
  await dark.close();
}

const browser = await launch(chromium);
const mock = await startMock(built);
try {
  await zooming(browser, mock.url);
  await singleCalls(browser, mock.url);
  await states(browser, mock);
  await comparing(browser, mock.url);
  console.log(`the pages of traces hold; pictures are in ${folder}`);
} finally {
  mock.stop();
  await browser.close();
}
