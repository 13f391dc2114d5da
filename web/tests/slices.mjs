// SPDX-License-Identifier: Apache-2.0
/**
 * Opens the page of slices in Chromium with made-up data and looks whether all of it is there.
 *   node slices.mjs EMBED_REPORT FOLDER
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { begin, launch, openPage, textOf } from './browser.mjs';
import { emptySlices, sampleSlices } from './sample_slices.mjs';

const { folder, chromium, write } = begin('slices');

/** Colours of a map's cells at places given as parts of its width and height. @param {import('playwright-core').Page} page @param {number} map @param {[number, number][]} places */
const coloursAt = (page, map, places) =>
  page.locator('.map canvas').nth(map).evaluate((element, points) => {
    const canvas = /** @type {HTMLCanvasElement} */ (element);
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray();
    return points.map(([x, y]) => {
      const i = 4 * (Math.round(y * 100) * canvas.width + Math.round(84 + x * (canvas.width - 106)));
      return [...pixels.slice(i, i + 4)].join(',');
    });
  }, places);

/** @param {import('playwright-core').Browser} browser */
async function wholePage(browser) {
  const data = sampleSlices();
  const { url, bytes } = write('slices', data);
  assert(bytes < 200_000, `the page without data has ${bytes} bytes, 200,000 is the limit`);
  const { page, troubles } = await openPage(browser, url);
  assert.equal(await page.locator('.map canvas').count(), 2);
  assert.equal(await page.locator('.panel canvas').count(), 1);
  const text = await textOf(page);
  for (const fact of [data.title, ...data.notes, '72 processes', 'Write throughput', 'active overlap: 3.73 min', 'bytes/s of a process', 'Figure 1.']) assert(text.includes(fact), `the page does not say: ${fact}`);
  assert(!/\b(NaN|undefined|Infinity|null)\b/.test(text), 'NaN and the like');
  // Of 200 bins: 1 before it runs, 6 start-up, 40 alone, 90 with the other one.
  const [absent, idle, alone, together] = await coloursAt(page, 0, [[1.5 / 200, 0.5], [6.5 / 200, 0.5], [40.5 / 200, 0.5], [90.5 / 200, 0.5]]);
  assert.equal(absent, '0,0,0,0', 'nothing is drawn where nothing ran');
  assert.equal(idle, '244,246,249,255', 'idle processes have the colour of panels');
  assert.notEqual(alone, together);
  assert.notEqual(alone, idle);
  assert.deepEqual(troubles, []);
  await page.close();
  return url;
}

/** Hover, zoom by mouse and keyboard, the choice of direction. @param {import('playwright-core').Browser} browser @param {string} url */
async function handling(browser, url) {
  const { page, troubles } = await openPage(browser, url);
  const pictures = () => page.locator('canvas').evaluateAll((all) => all.map((canvas) => /** @type {HTMLCanvasElement} */ (canvas).toDataURL()));
  const changed = async (/** @type {string[]} */ before) => (await pictures()).filter((picture, i) => picture !== before[i]).length;
  const whole = await pictures();
  const map = page.locator('.map').first();
  const box = await map.boundingBox();
  assert(box);
  const inner = box.width - 84 - 22;
  await page.mouse.move(box.x + 84 + (90.5 / 200) * inner, box.y + 14 * 3 + 7);
  const tip = await textOf(page.locator('.tip'));
  // Bin 90 is 360 s after 09:33:20; some 19 MiB/s of 12 processes.
  assert.match(tip, /^rank 3 on node10 2013-04-09 09:39:20 UTC, 4 s read 0 B written [4-9]\.\d+ MiB 1\.\d+ MiB\/s$/);
  assert.match(await textOf(page.locator('.values')), /small: 1\d(\.\d)? MiB\/s large: 8\d(\.\d)? MiB\/s/);
  assert.equal(await page.locator('.map .cursor').count(), 2, 'the cursor stands in both maps');
  await page.screenshot({ path: join(folder, 'slices-hover.png') });
  await page.mouse.down();
  await page.mouse.move(box.x + 84 + 0.7 * inner, box.y + 60, { steps: 4 });
  await page.mouse.up();
  await page.waitForTimeout(200);
  assert.equal(await changed(whole), 3, 'panels that follow a zoom by mouse');
  await page.getByRole('button', { name: 'all', exact: true }).click();
  await page.mouse.move(5, 5);
  await page.waitForTimeout(200);
  assert.equal(await changed(whole), 0, 'panels that do not come back');
  await page.getByRole('button', { name: 'zoom in' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForTimeout(200);
  assert.equal(await changed(whole), 3, 'panels that follow a zoom by keyboard');
  await page.getByRole('button', { name: 'all', exact: true }).click();
  await page.getByRole('button', { name: 'read', exact: true }).click();
  assert.match(await textOf(page), /Read throughput/);
  assert.doesNotMatch(await textOf(page), /active overlap:/, 'the overlap is that of writing');
  assert.deepEqual(troubles, []);
  await page.close();
}

/** @param {import('playwright-core').Browser} browser @param {string} url */
async function looks(browser, url) {
  for (const width of [1280, 800]) {
    for (const dark of [false, true]) {
      const { page, troubles } = await openPage(browser, url, { width, dark });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(overflow, 0, `at ${width} pixels the page is wider than the window`);
      await page.screenshot({ path: join(folder, `slices-${width}-${dark ? 'dark' : 'light'}.png`), fullPage: true });
      if (width === 1280 && dark) await page.pdf({ path: join(folder, 'slices.pdf'), format: 'A4' });
      assert.deepEqual(troubles, []);
      await page.close();
    }
  }
}

/** Nothing, and applications that did nothing. @param {import('playwright-core').Browser} browser */
async function littleData(browser) {
  const silent = sampleSlices();
  silent.overlap = null;
  for (const one of silent.applications) Object.assign(one, { read_bytes: 0, write_bytes: 0, phase: null, cells: { read: null, write: null } });
  for (const [name, data] of Object.entries({ slices_empty: emptySlices(), slices_silent: silent })) {
    const { page, troubles } = await openPage(browser, write(name, data).url);
    assert((await textOf(page)).includes('Nothing to draw'), name);
    assert.deepEqual(troubles, [], name);
    await page.close();
  }
}

const browser = await launch(chromium);
try {
  const url = await wholePage(browser);
  await handling(browser, url);
  await looks(browser, url);
  await littleData(browser);
  console.log(`the page of slices holds; pages and pictures are in ${folder}`);
} finally {
  await browser.close();
}
