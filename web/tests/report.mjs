// SPDX-License-Identifier: Apache-2.0
/**
 * Opens the report in Chromium with made-up data and looks whether all of it is there.
 *   node report.mjs EMBED_REPORT FOLDER
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { begin, launch, openPage, textOf } from './browser.mjs';
import { emptyReport, sampleReport, sparseReport } from './sample.mjs';

const { folder, chromium, write } = begin();

/** Everything that a figure must show. @param {import('playwright-core').Page} page */
async function figureFacts(page) {
  return page.evaluate(() => ({
    figures: document.querySelectorAll('figure').length,
    blank: [...document.querySelectorAll('figure')].filter((figure) => {
      const drawings = [...figure.querySelectorAll('svg.plot')].map((svg) => svg.querySelectorAll('path, rect').length > 0);
      const canvases = [...figure.querySelectorAll('canvas')].map((canvas) => {
        const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray();
        const colours = new Set(); // of opaque pixels: grid, words and curves at least
        for (let i = 0; i < pixels.length && colours.size < 4; i += 4) {
          if (pixels[i + 3] === 255) colours.add(((pixels[i] ?? 0) << 16) | ((pixels[i + 1] ?? 0) << 8) | (pixels[i + 2] ?? 0));
        }
        return colours.size === 4;
      });
      const all = [...drawings, ...canvases];
      return (all.length === 0 && !figure.querySelector('.nothing')) || all.includes(false);
    }).map((figure) => figure.id),
    nothing: document.querySelectorAll('.nothing').length,
    hexagons: document.querySelectorAll('.hexagons path').length,
    bars: document.querySelectorAll('.bars rect').length,
    canvases: document.querySelectorAll('canvas').length,
    badNumbers: (document.body.innerText.match(/\b(NaN|undefined|Infinity|null)\b/g) ?? []).length + document.querySelectorAll('[d*="NaN"], [transform*="NaN"], [x*="NaN"]').length,
  }));
}

/** @param {import('playwright-core').Browser} browser */
async function wholeReport(browser) {
  const data = sampleReport();
  const population = data.population;
  assert(population);
  const { url, bytes } = write('sample', data);
  assert(bytes < 400_000, `the page without data has ${bytes} bytes, 400,000 is the limit`);
  const { page, troubles } = await openPage(browser, url);
  const facts = await figureFacts(page);
  const panels = population.threshold_panels.flatMap((set) => set.panels);
  const hexbins = [...population.pairs, ...population.volume_vs_bandwidth, ...panels];
  assert.deepEqual(facts.blank, [], 'figures without a drawing');
  assert.equal(facts.nothing, 0);
  assert.equal(facts.badNumbers, 0, 'NaN and the like');
  assert.equal(facts.hexagons, hexbins.reduce((sum, pair) => sum + pair.hexagons.length, 0));
  // Four panels of a job over time, and a fifth where metadata operations were counted.
  assert.equal(facts.canvases, data.jobs.reduce((sum, job) => sum + 4 + Number(job.timeline.metadata_ops.some((value) => value !== null)), 0));
  // Four of what jobs are like, every pair, volume against bandwidth, two per set of thresholds, request sizes, small requests, servers; two for each job.
  const expected = 4 + population.pairs.length + population.volume_vs_bandwidth.length + 2 * population.threshold_panels.length + 3 + 2 * data.jobs.length;
  assert.equal(facts.figures, expected);

  const text = await textOf(page);
  const share = (/** @type {number | null | undefined} */ value) => `${((value ?? 0) * 100).toFixed(1).replace(/\.0$/, '')} %`;
  const bytesPair = population.pairs[0];
  for (const fact of [
    data.title, ...data.notes, '2,013 jobs of at least 1 h are analysed.', '4,211 (shorter than 1 h)', 'Nothing got lost or was made up',
    `20 % of the jobs are responsible for ${share(bytesPair?.x.top20_share)} of the bytes read`,
    `20 % of the jobs are responsible for ${share(bytesPair?.y.top20_share)} of the bytes written`,
    `Figure ${expected}.`, 'peak 61.5 GiB/s', '97 % measured', 'low coverage', 'Writing repeats every 1.5 h', 'counters do not name files: needs a trace',
    ...population.selected.map((job) => `job ${job.job_id}: ${job.why}`),
  ]) assert(text.includes(fact.replace(/\s+/g, ' ')), `the page does not say: ${fact}`);
  assert.deepEqual(troubles, []);
  await page.close();
  return url;
}

/** The panels of a job share zoom and cursor, by mouse and by keyboard. @param {import('playwright-core').Browser} browser @param {string} url */
async function timeline(browser, url) {
  const { page, troubles } = await openPage(browser, url);
  const job = page.locator('section.job').first();
  const pictures = () => job.locator('canvas').evaluateAll((all) => all.map((canvas) => /** @type {HTMLCanvasElement} */ (canvas).toDataURL()));
  const changed = async (/** @type {string[]} */ before) => (await pictures()).filter((picture, i) => picture !== before[i]).length;
  const whole = await pictures();
  await job.getByRole('button', { name: 'zoom in' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForTimeout(200);
  assert.equal(await changed(whole), whole.length, 'panels that follow a zoom by keyboard');
  await job.getByRole('button', { name: 'whole job' }).click();
  await page.waitForTimeout(200);
  assert.equal(await changed(whole), 0, 'panels that do not come back to the whole job');

  const second = job.locator('.panel').nth(1);
  await second.scrollIntoViewIfNeeded();
  const box = await second.boundingBox();
  assert(box);
  await page.mouse.move(box.x + 300, box.y + 50);
  assert.match(await textOf(job), /after the start \(2013-04-\d\d \d\d:\d\d UTC\), (reading|writing) dominates/);
  assert.match(await textOf(job.locator('.values').first()), /read: [\d.]+ [KMGT]?i?B\/s written: [\d.]+ [KMGT]?i?B\/s/);
  await page.mouse.down();
  await page.mouse.move(box.x + 600, box.y + 50, { steps: 4 });
  await page.mouse.up();
  await page.waitForTimeout(200);
  assert.equal(await changed(whole), whole.length, 'panels that follow a zoom by mouse');
  await job.getByRole('button', { name: 'operations' }).click();
  assert.match(await textOf(job), /Operations per second/);
  assert.deepEqual(troubles, []);
  await page.close();
}

/** @param {import('playwright-core').Browser} browser */
async function littleData(browser) {
  const awkward = { empty: emptyReport(), none: sparseReport('none'), one: sparseReport('one'), zero: sparseReport('zero') };
  const says = { empty: 'There is nothing to report', none: 'No job is left to analyse', one: '1 job of at least 1 h is analysed', zero: 'is zero for all 40 jobs' };
  for (const [name, data] of Object.entries(awkward)) {
    const { page, troubles } = await openPage(browser, write(name, data).url);
    const facts = await figureFacts(page);
    assert.deepEqual(facts.blank, [], `${name}: figures without a drawing or a reason`);
    assert.equal(facts.badNumbers, 0, `${name}: NaN and the like`);
    assert((await textOf(page)).includes(says[/** @type {keyof typeof says} */ (name)]), `${name}: what it should say`);
    assert.deepEqual(troubles, [], name);
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
    await page.close();
  }
}

/** Names come from users: none of them may become part of the page's code. @param {import('playwright-core').Browser} browser */
async function hostileText(browser) {
  const title = '</script><script>window.broken = true</script><!-- <script> & "quotes" <b>bold</b>';
  const { page, troubles } = await openPage(browser, write('hostile', { ...emptyReport(), title, notes: [title] }).url);
  assert.equal(await page.locator('h1').textContent(), title);
  assert.equal(await page.title(), title.replace(/\s+/g, ' '));
  assert.equal(await page.evaluate(() => 'broken' in window), false);
  assert.deepEqual(troubles, []);
  await page.close();
}

/** A page of another format says so instead of showing something wrong. @param {import('playwright-core').Browser} browser */
async function otherFormat(browser) {
  const { page, troubles } = await openPage(browser, write('other_format', '{"format":2}').url);
  assert.match(await textOf(page), /cannot be shown: its data has format 2/);
  assert.equal(troubles.length, 1);
  await page.close();
}

/** @param {import('playwright-core').Browser} browser @param {string} url */
async function looks(browser, url) {
  for (const dark of [false, true]) {
    const { page, troubles } = await openPage(browser, url, { dark });
    for (const width of [1280, 800]) {
      await page.setViewportSize({ width, height: 900 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.equal(overflow, 0, `at ${width} pixels the page is wider than the window`);
      await page.screenshot({ path: join(folder, `sample-${width}-${dark ? 'dark' : 'light'}.png`), fullPage: true });
    }
    assert.deepEqual(troubles, []);
    if (dark) {
      await page.pdf({ path: join(folder, 'sample.pdf'), format: 'A4' });
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(paper, 'rgb(255, 255, 255)', 'paper is white for those who use a dark screen too');
    }
    await page.close();
  }
}

const browser = await launch(chromium);
try {
  const url = await wholeReport(browser);
  await timeline(browser, url);
  await littleData(browser);
  await hostileText(browser);
  await otherFormat(browser);
  await looks(browser, url);
  console.log(`the report holds; pages and pictures are in ${folder}`);
} finally {
  await browser.close();
}
