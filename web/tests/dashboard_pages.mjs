// SPDX-License-Identifier: Apache-2.0
/** The pages of a store: their numbers, and that every choice is in the address and comes back from it. */
import assert from 'node:assert/strict';
import { accessible, drag, open, painted, query, said, says, settled, until } from './dashboard_page.mjs';
import { applications as known } from './mock_rest.mjs';
import * as store from './mock_store.mjs';

/** @typedef {import('playwright-core').Browser} Browser */
/** @typedef {Awaited<ReturnType<typeof import('./mock_api.mjs').startMock>>} Mock */

/** @param {Browser} browser @param {Mock} mock */
export async function machine(browser, mock) {
  const { page, close } = await open(browser, `${mock.url}/stores/tarn/machine`);
  await says(page, ['152 servers', '2,013 jobs, 5 running', 'sampled every 2 min', '2013-04-01 02:00 to 2013-05-01 02:00', 'the 300 that moved most of 2,013', '93 % of it is known']);
  assert.deepEqual(await painted(page), [true, true], 'traffic and servers are drawn');
  assert.equal(await page.locator('svg a[href*="/jobs/"]').count(), 300);
  const top = store.top(new URLSearchParams({ limit: '20' })).rows[0];
  assert((await said(page, '#main tbody tr')).startsWith(top?.key ?? '?'), 'who moved most comes first');

  // A brush on each panel sets the same range for all.
  await drag(page, '.plot .u-over', [0.5, 0.5], [0.6, 0.5]);
  await settled(page);
  const [from, to] = [Number(query(page).get('from')), Number(query(page).get('to'))];
  assert(Math.abs(from - (store.start + 15 * 86400)) < 86400 && Math.abs(to - (store.start + 18 * 86400)) < 86400, `${from} to ${to}`);
  assert(mock.asked.some((path) => path.includes('/heat?') && path.includes(`from=${from}`)), 'the heat map is asked for the same time');
  await drag(page, '.map', [0.3, 0.3], [0.6, 0.3]);
  await settled(page);
  assert(Number(query(page).get('from')) > from && Number(query(page).get('to')) < to);
  const inner = page.url();
  await drag(page, '.brush', [0.3, 0.9], [0.6, 0.9]);
  await settled(page);
  assert(page.url().includes('/machine'), 'a drag over a job is no click');
  assert.notEqual(page.url(), inner);
  await page.goBack();
  await settled(page);
  assert.equal(page.url(), inner, 'Back restores the range before');
  await page.goForward();
  await page.getByRole('button', { name: 'zoom out' }).click();
  await page.getByRole('button', { name: 'whole time' }).click();
  assert.equal(query(page).get('from'), null);
  await page.getByRole('button', { name: 'last day' }).click();
  await settled(page);
  assert.equal(query(page).get('last'), '86400');
  await says(page, ['2013-04-30 02:00 to 2013-05-01 02:00', '24 h']);

  await page.getByRole('button', { name: 'written', exact: true }).click();
  await page.getByLabel('File system', { exact: true }).selectOption('home');
  await page.getByRole('button', { name: 'application', exact: true }).click();
  await settled(page);
  assert.deepEqual([query(page).get('direction'), query(page).get('filesystem'), query(page).get('by')], ['write', 'home', 'application']);
  const shown = await said(page);
  const again = await open(browser, page.url());
  assert.equal(await said(again.page), shown, 'the address restores the view');
  await again.close();

  // Metadata operations are a choice where somebody counts them.
  const bytesShown = page.url();
  await page.getByRole('button', { name: 'metadata', exact: true }).click();
  await settled(page);
  assert.equal(query(page).get('direction'), 'metadata');
  assert(mock.asked.some((path) => path.includes('/traffic?') && path.includes('of=metadata')), 'metadata operations are asked for');
  assert.deepEqual(await painted(page), [true, true], 'operations and servers are drawn');
  await says(page, ['metadata operations per second of', 'operations/s of a server']);
  await page.goto(bytesShown);
  await settled(page);

  // The cursor stands in all panels.
  await page.evaluate(() => scrollTo(0, 0));
  const plot = await page.locator('.plot .u-over').boundingBox();
  assert(plot);
  await page.mouse.move(plot.x + plot.width * 0.4, plot.y + 50);
  await page.waitForSelector('.brush .cursor');
  await page.waitForSelector('.map .cursor');
  await until('what was moved at the cursor', async () => /2013-04-30 1\d:\d\d: read [\d.]+ [KMG]iB\/s, written [\d.]+ [KMG]iB\/s, 100 % measured/.test(await said(page)));
  // Arrow keys go along the jobs, Enter opens one.
  await page.locator('svg a[tabindex="0"]').focus();
  await page.keyboard.press('ArrowRight');
  const label = await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
  assert.match(label, /^job \d+, .* of u\d+, [\d,]+ nodes/);
  await page.keyboard.press('Enter');
  await settled(page);
  assert.match(await said(page, 'h1'), /^Job \d+$/);
  await close();

  // A gap is missing, never zero.
  const gap = await open(browser, `${mock.url}/stores/tarn/machine?from=${store.start + 16 * 86400}&to=${store.start + 17 * 86400}`);
  const box = await gap.page.locator('.plot .u-over').boundingBox();
  assert(box);
  await gap.page.mouse.move(box.x + box.width * 0.5, box.y + 40);
  await until('a gap at the cursor', async () => /2013-04-17 1\d:\d\d: not measured/.test(await said(gap.page)));
  await gap.close();

  // What is not read yet is said, and asked for again.
  mock.settings.preparing = 4;
  const early = await open(browser, `${mock.url}/stores/tarn/machine`);
  await says(early.page, ['50 % of the days asked for have been read so far']);
  await early.page.waitForFunction(() => !document.querySelector('.preparing'), null, { timeout: 20_000 });
  await early.close();
}

/** @param {Browser} browser @param {Mock} mock */
export async function population(browser, mock) {
  const { page, close } = await open(browser, `${mock.url}/stores/tarn/population`);
  const pair = store.population(new URLSearchParams({ x: 'bytes.read', y: 'bytes.write' })).pair;
  assert(pair);
  await says(page, ['2,013 jobs', '21 no criteria are kept', '1,992']);
  assert.equal(await page.locator('.hexagons path').count(), pair.hexagons.length);
  assert.equal(await page.getByLabel('figure').inputValue(), '0');

  await page.getByLabel('figure').selectOption({ label: 'Figure 6: I/O intensity above 1 MiB/s' });
  await settled(page);
  assert.deepEqual([query(page).get('x'), query(page).get('y'), query(page).get('threshold')], ['intensity.read', 'intensity.write', '1048576']);
  const slider = page.getByRole('slider');
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await settled(page);
  assert.equal(query(page).get('threshold'), '131072', 'the slider snaps to what is kept');
  await says(page, ['> 128 KiB/s', 'I/O intensity (> 128 KiB/s)']);
  await page.getByRole('button', { name: 'Swap the axes' }).click();
  await settled(page);
  assert.equal(query(page).get('x'), 'intensity.write');

  await page.getByRole('combobox', { name: 'x', exact: true }).selectOption('small_fraction');
  await page.getByLabel('small is at most').selectOption('65536');
  await page.getByRole('combobox', { name: 'y', exact: true }).selectOption('');
  await settled(page);
  assert.deepEqual([query(page).get('x'), query(page).get('y'), query(page).get('small')], ['small_fraction.write', 'none', '65536']);
  assert.equal(await page.locator('.bars rect').count() > 3, true, 'one distribution');

  // Filters are in the address.
  await page.getByLabel('figure').selectOption('0');
  await page.getByLabel('nodes, at least').fill('1024');
  await page.getByLabel('nodes, at least').press('Enter');
  await page.getByLabel('run time in hours, at least').fill('2');
  await page.getByLabel('run time in hours, at least').press('Enter');
  await page.getByRole('combobox', { name: 'I/O', exact: true }).selectOption('both');
  await page.getByLabel('started on or after').fill('2013-04-10');
  await settled(page);
  assert.deepEqual([query(page).get('min_nodes'), query(page).get('min_runtime'), query(page).get('io'), query(page).get('from')], ['1024', '7200', 'both', String(Date.UTC(2013, 3, 9, 22) / 1000)]);
  const some = store.population(new URLSearchParams({ x: 'bytes.read', min_nodes: '1024', min_runtime: '7200', io: 'both', from: query(page).get('from') ?? '' }));
  await says(page, [`${some.jobs} jobs`]);
  await page.getByRole('button', { name: 'clear 4' }).click();
  await settled(page);
  await says(page, ['2,013 jobs']);

  // A click on a hexagon, and a box, list their jobs.
  const most = pair.hexagons.reduce((best, one, i) => (one[2] > (pair.hexagons[best]?.[2] ?? 0) ? i : best), 0);
  await page.locator('.hexagons path').nth(most).click();
  await settled(page);
  await says(page, ['Jobs chosen in the figure', `${pair.hexagons[most]?.[2]}`.slice(0, 0)]);
  const first = await page.locator('table').last().locator('tbody tr').count();
  assert(first >= 3, 'jobs of a hexagon');
  await drag(page, '.middle', [0.3, 0.3], [0.7, 0.7]);
  await settled(page);
  const asked = Object.fromEntries(['x_from', 'x_to', 'y_from', 'y_to'].map((key) => [key, query(page).get(key) ?? '']));
  const list = store.jobList(new URLSearchParams({ x: 'bytes.read', y: 'bytes.write', ...asked }));
  assert(list.total > 100 && list.total < 2013, `${list.total} in the box`);
  await says(page, [`1 to 25 of ${list.total.toLocaleString('en-US')} jobs`]);
  await page.getByRole('button', { name: 'next' }).click();
  await settled(page);
  assert.equal(query(page).get('offset'), '25');
  await page.getByRole('button', { name: 'choose none' }).click();
  assert.equal(query(page).get('x_from'), null);
  await page.goBack();
  await settled(page);
  await page.locator('table').last().locator('tbody a').first().click();
  await settled(page);
  assert.match(await said(page, 'h1'), /^Job \d+$/);
  await close();
}

/** @param {Browser} browser @param {Mock} mock */
export async function jobs(browser, mock) {
  const { page, close } = await open(browser, `${mock.url}/stores/tarn/jobs`);
  await says(page, ['1 to 50 of 2,013 jobs']);
  await page.getByRole('button', { name: 'written' }).click();
  await settled(page);
  assert.equal(query(page).get('sort'), '-write_bytes');
  assert.equal(await page.locator('th[aria-sort=descending]').innerText().then((text) => text.slice(0, 7)), 'written');
  const largest = store.jobList(new URLSearchParams({ sort: '-write_bytes' })).rows[0];
  assert((await said(page, 'tbody tr')).startsWith(largest?.job_id ?? '?'));
  await page.keyboard.press('/');
  await page.keyboard.type('climate');
  await page.waitForURL(/search=climate/);
  await settled(page);
  const found = store.jobList(new URLSearchParams({ search: 'climate' })).total;
  await says(page, [`1 to 50 of ${found} jobs`]);
  await page.getByRole('button', { name: 'next' }).click();
  await settled(page);
  await says(page, [`51 to 100 of ${found} jobs`]);
  await page.getByRole('searchbox').fill('nobody at all');
  await page.waitForURL(/search=nobody/);
  await settled(page);
  await says(page, ['No job fits.']);
  await close();
}

/** @param {Browser} browser @param {Mock} mock */
export async function job(browser, mock) {
  const row = store.jobs.find((one) => one.row.name === 'turbulence' && one.kind === 'checkpoint' && one.duration > 30000)?.row;
  assert(row);
  const { page, close } = await open(browser, `${mock.url}/stores/tarn/jobs/${row.job_id}?start=${row.start}`);
  const answer = store.jobAnswer(row.job_id);
  await says(page, [`Job ${row.job_id}`, `of user ${row.user}`, '97 % measured', 'low coverage', 'Writing repeats every 1.5 h', 'counters do not name files: needs a trace', 'from slices', '% of the', 'that its servers counted', `${answer?.beside_total} other jobs ran at the same time`, `${row.user}/turbulence/${row.nodes}`, 'turbulence, run A']);
  assert.deepEqual(await painted(page), [true, true, true, true, true, true], 'four panels of the servers, one of metadata, and one of the clients');
  // One cursor for all panels, the clients' too.
  const panel = await page.locator('.panel').last().boundingBox();
  assert(panel);
  await page.locator('.panel').last().scrollIntoViewIfNeeded();
  const box = await page.locator('.panel').last().boundingBox();
  await page.mouse.move((box?.x ?? 0) + 300, (box?.y ?? 0) + 40);
  await until('values at the cursor', async () => {
    const values = await page.locator('.values').allInnerTexts();
    return [values[0], values[5]].every((text) => /read: .*\/s/.test(text ?? ''));
  });
  const pictures = () => page.locator('.panel canvas').evaluateAll((all) => all.map((one) => /** @type {HTMLCanvasElement} */ (one).toDataURL()));
  const before = await pictures();
  await page.getByRole('button', { name: 'zoom in' }).click();
  await until('all panels zoom', async () => (await pictures()).filter((one, i) => one !== before[i]).length === 6);
  await page.waitForURL(/after=\d+&until=\d+/);
  const again = await open(browser, page.url());
  assert.equal(await again.page.locator('.panel canvas').first().evaluate((one) => /** @type {HTMLCanvasElement} */ (one).toDataURL()) === before[0], false, 'the address restores the zoom');
  await again.close();
  // Each criterion is explained on focus.
  const criterion = page.locator('button.asks').first();
  assert.match((await criterion.getAttribute('aria-label')) ?? '', /^Total data: How much it reads and writes/);
  await criterion.focus();
  assert.match(await criterion.evaluate((one) => getComputedStyle(one, '::after').content), /How much it reads/);
  await page.getByLabel('linked by').selectOption('discard');
  await settled(page);
  assert.equal(query(page).get('link'), 'discard');
  assert(mock.asked.some((path) => path.includes(`/jobs/${row.job_id}?`) && path.includes('link=discard')));
  await page.getByRole('link', { name: 'the machine at that time' }).click();
  await settled(page);
  assert.equal(query(page).get('from'), String(row.start - 1800));
  await close();
  const none = store.jobs.find((one) => one.row.read_bytes === null)?.row;
  const nothing = await open(browser, `${mock.url}/stores/tarn/jobs/${none?.job_id}`);
  await says(nothing.page, ['There is nothing to draw of this job', 'None of its servers was measured']);
  await nothing.close();
}

/** @param {Browser} browser @param {Mock} mock */
export async function applications(browser, mock) {
  const { page, close } = await open(browser, `${mock.url}/stores/tarn/applications`);
  const validated = known.filter((one) => one.state === 'validated').length;
  await says(page, [`all ${known.length}`, `validated ${validated}`]);
  await page.getByRole('button', { name: `validated ${validated}` }).click();
  await settled(page);
  assert.equal(query(page).get('state'), 'validated');
  await says(page, [`1 to ${validated} of ${validated} applications`]);
  await page.getByRole('searchbox').fill('bob');
  await page.waitForURL(/search=bob/);
  await settled(page);
  await page.getByRole('link', { name: 'climate.x' }).click();
  await settled(page);
  assert.deepEqual([...query(page)], [['user', 'bob'], ['name', 'climate.x'], ['nodes', '128']]);
  await says(page, ['bob/climate.x/128', 'validated', 'Pattern 1 writes to scratch', '242 runs', '262 GiB', '3 of 214 stretches']);
  assert.equal(await page.locator('.own path').count() > 1000, true);
  // 2016-12-01 00:00 UTC, in the zone of the reader, in figures and tables alike.
  const labels = await page.locator('figure svg text').allTextContents();
  assert(labels.some((one) => one.startsWith('210544  2016-12-01 01:00job 210544, 2016-12-01 01:00,')), `labels of runs: ${labels.slice(0, 20)}`);
  await says(page, ['210544 2016-12-01 01:00'], '#runs tbody tr');
  await accessible(page);
  await page.locator('#runs tbody a').first().click();
  assert.match(page.url(), /\/stores\/tarn\/jobs\/210544\?start=1480550400/);
  await settled(page);
  await says(page, ['there is no /api/v1/stores/tarn/jobs/210544', 'Try again']);
  await page.context().close();
  void close;
}
