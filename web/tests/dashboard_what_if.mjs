// SPDX-License-Identifier: Apache-2.0
/**
 * Opens the what-if and advice pages of the dashboard in Chromium with a made-up server.
 *   node dashboard_what_if.mjs BUILT_DASHBOARD FOLDER
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findChromium, launch } from './browser.mjs';
import { accessible, open, query, says, settled } from './dashboard_page.mjs';
import { startWhatIfMock } from './mock_what_if.mjs';

/** @typedef {import('playwright-core').Browser} Browser */
/** @typedef {import('playwright-core').Page} Page */
/** @typedef {Awaited<ReturnType<typeof startWhatIfMock>>} Mock */

const [built, out] = process.argv.slice(2);
if (!built || !out) throw new Error('usage: node dashboard_what_if.mjs BUILT_DASHBOARD FOLDER');
const folder = resolve(out);
const chromium = findChromium();
if (!chromium) {
  console.log('SKIPPED: there is no chromium on the PATH; install it (tools/setup does) to test the dashboard in a browser');
  process.exit(77);
}
mkdirSync(folder, { recursive: true });

/** @param {Page} page @param {string} name */
const field = (page, name) => page.getByLabel(name, { exact: true });
const wholeTitle = { exact: true };

/** A scenario is changed, started, watched and seen. @param {Browser} browser @param {Mock} mock */
async function simulates(browser, mock) {
  const { page, close } = await open(browser, `${mock.url}/what-if`);
  await says(page, ['What-if', 'A new simulation', 'There are none yet', '64 combinations at most', 'External link', 'of one I/O node, each way']);
  await accessible(page);
  await field(page, 'Title').fill('Faster links');
  const link = page.getByRole('group', { name: /changed machine/ }).locator('details', { hasText: 'External link' });
  await link.getByLabel('bandwidth').fill('4 Gbit/s');
  await says(page, ['The changed machine: 1 change']);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForURL(/\/what-if\/6a-1$/);
  assert.deepEqual(mock.asked.at(-1), { title: 'Faster links', scenario: 'jugene-burst-buffer', changes: { 'external_link.bandwidth': '4 Gbit/s' }, sweep: [], store: null, from: null, to: null });
  await page.getByRole('progressbar').waitFor();
  await says(page, ['Faster links', 'You may leave this page']);
  await page.getByText('I/O time of each I/O node').waitFor({ timeout: 40_000 });
  await says(page, ['600 I/O nodes', 'burst_buffer.size 0 → 64 GiB', 'New time / original time, over jobs', 'Jobs whose run time grows most', 'Architecture']);
  assert(await page.locator('svg .bars rect').count() >= 600);
  await accessible(page);
  for (const [button, ending, words] of [['download page', 'html', '<!doctype html>'], ['download scenario', 'toml', 'original = "jugene"']]) {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button ?? '' }).click()]);
    assert.equal(file.suggestedFilename(), `faster-links.${ending}`);
    assert(readFileSync(await file.path(), 'utf8').includes(words ?? ''));
  }
  await page.screenshot({ path: join(folder, 'dashboard_simulation.png'), fullPage: true });
  // The same once more, changed.
  await page.getByRole('link', { name: 'change and run again' }).click();
  await settled(page);
  assert.equal(await link.getByLabel('bandwidth').inputValue(), '4 Gbit/s');
  assert.equal(await field(page, 'Title').inputValue(), 'Faster links');
  await link.getByRole('button', { name: 'undo' }).click();
  assert.equal(await link.getByLabel('bandwidth').inputValue(), '1 Gbit/s');
  await close();
}

/** Axes, jobs of a store, and the request that they become. @param {Browser} browser @param {Mock} mock */
async function sweeps(browser, mock) {
  const { page, close } = await open(browser, `${mock.url}/what-if`, { width: 1500 });
  await page.getByRole('combobox', { name: 'Scenario' }).selectOption('jugene');
  await page.getByRole('combobox', { name: 'Jobs of' }).selectOption('tarn');
  await page.getByLabel('from', wholeTitle).fill('2026-03-02T00:00');
  await page.getByLabel('to', wholeTitle).fill('2026-03-03T00:00');
  await page.getByRole('button', { name: 'add a parameter' }).click();
  await page.getByLabel('Parameter of axis 1').selectOption('external_link.bandwidth');
  await page.getByLabel('Values of axis 1, with commas').fill('1 Gbit/s, 4 Gbit/s,10 Gbit/s');
  await page.getByRole('button', { name: 'add a parameter' }).click();
  await page.getByLabel('Parameter of axis 2').selectOption('burst_buffer.size');
  await page.getByLabel('Values of axis 2, with commas').fill('0, 16 GiB');
  await says(page, ['6 combinations', '26 days at most']);
  await page.getByLabel('Values of axis 2, with commas').fill(Array.from({ length: 30 }, (_, i) => `${i} GiB`).join(','));
  await says(page, ['90 combinations; this server allows 64']);
  await page.getByLabel('Values of axis 2, with commas').fill('0, 16 GiB');
  await page.screenshot({ path: join(folder, 'dashboard_what_if.png'), fullPage: true });
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('Cost and slowdown').waitFor({ timeout: 40_000 });
  assert.deepEqual(mock.asked.at(-1), {
    title: '', scenario: 'jugene', changes: {}, sweep: [{ key: 'external_link.bandwidth', values: ['1 Gbit/s', '4 Gbit/s', '10 Gbit/s'] }, { key: 'burst_buffer.size', values: ['0', '16 GiB'] }], store: 'tarn',
    from: Date.parse('2026-03-02T00:00:00+01:00') / 1000, to: Date.parse('2026-03-03T00:00:00+01:00') / 1000,
  });
  assert.equal(await page.locator('svg .points path').count(), 16);
  await page.screenshot({ path: join(folder, 'dashboard_sweep.png'), fullPage: true });
  await close();
}

/** The list: progress, stopping, comparing, forgetting. @param {Browser} browser @param {Mock} mock */
async function lists(browser, mock) {
  mock.settings.steps = 1000;
  const { page, close } = await open(browser, `${mock.url}/what-if`, { width: 1500 });
  mock.add({ title: 'A long one', scenario: 'jugene', changes: {}, sweep: [], store: null });
  await page.reload();
  await settled(page);
  await page.getByRole('button', { name: 'Stop A long one' }).click();
  await page.locator('tr', { hasText: 'A long one' }).getByText('stopped').waitFor();
  assert.equal(mock.list[0]?.state, 'cancelled');
  mock.settings.steps = 1;
  await page.getByLabel('Compare Faster links').check();
  await page.getByLabel('Compare jugene 2').check();
  await page.getByText('Two results side by side').waitFor();
  await settled(page);
  assert.equal(query(page).get('compare'), '6a-1,6a-2');
  await says(page, ['I/O time: average', 'the fastest', 'combinations']);
  await accessible(page);
  await page.screenshot({ path: join(folder, 'dashboard_compare.png'), fullPage: true });
  await page.reload(); // a link restores it
  await page.getByText('Two results side by side').waitFor();
  await page.getByRole('button', { name: 'close' }).click();
  await page.getByRole('button', { name: 'Forget A long one' }).click();
  await page.getByRole('link', { name: 'A long one' }).waitFor({ state: 'detached' });
  await close();
}

/** What goes wrong is said. @param {Browser} browser @param {Mock} mock */
async function troubles(browser, mock) {
  const { page, close } = await open(browser, `${mock.url}/what-if`, { expected: /status of (404|503)/ });
  mock.settings.full = true;
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: '8 wait already' }).waitFor();
  mock.settings.full = false;
  mock.settings.fails = 'simulating the store: no increments begin in the range (tarn)';
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('The simulation failed.').waitFor();
  await says(page, ['no increments begin in the range']);
  mock.settings.fails = '';
  await page.goto(`${mock.url}/what-if/gone`);
  await page.getByText('There is no such simulation any more').waitFor();
  await close();
}

/** Load, a question and its answer, decisions. @param {Browser} browser @param {Mock} mock */
async function advises(browser, mock) {
  const { page, close } = await open(browser, `${mock.url}/stores/tarn/advice`, { width: 1500 });
  await says(page, ['Advice', 'Load of the servers', 'scratch 140 servers', 'home 40 servers', 'Decisions', '90812', 'not below 1.62', 'weights: built in']);
  assert.equal(await page.locator('.tiles i').count(), 180, 'a square for each server');
  const scores = await page.locator('section section', { has: page.locator('h3', { hasText: 'scratch' }) }).locator('tbody tr td:nth-of-type(1)').allInnerTexts();
  assert.deepEqual(scores.map(Number), [...scores.map(Number)].sort((a, b) => b - a), 'the busiest first');
  await page.getByRole('button', { name: 'all 140 servers' }).click();
  assert.equal(await page.locator('section section', { has: page.locator('h3', { hasText: 'scratch' }) }).locator('tbody tr').count(), 140);
  await page.getByRole('button', { name: 'only the busiest' }).click();
  await page.getByRole('combobox', { name: 'Application that is known' }).selectOption({ label: 'bob / climate.x / 128 nodes' });
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByText('its 96 least loaded servers score 2.41').first().waitFor();
  assert.equal(query(page).get('name'), 'climate.x');
  await says(page, ['delay', '1.62']);
  await accessible(page);
  await page.screenshot({ path: join(folder, 'dashboard_advice.png'), fullPage: true });
  await page.getByLabel('job name').fill('other.x');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByText('Nothing is known of this application').first().waitFor();
  mock.decided.unshift({ time: mock.decided[0]?.time ?? 0, job_id: '99999', user: 'eve', name: '<b>x</b>', nodes: 4, verdict: 'delay', reason: 'new', waited: 0 });
  await page.getByRole('link', { name: '99999' }).waitFor(); // by itself
  await close();
}

/** A store without load, a server without a folder of decisions; dark and narrow. @param {Browser} browser @param {Mock} mock */
async function empty(browser, mock) {
  mock.settings.noLoad = true;
  mock.settings.decisions = false;
  const { page, close } = await open(browser, `${mock.url}/stores/tarn/advice`, { width: 700, dark: true, expected: /status of 404/ });
  await says(page, ['There is no load to show', 'fathom collect STORE', '--advice-state DIR']);
  await accessible(page);
  mock.settings.noLoad = false;
  mock.settings.decisions = true;
  await page.goto(`${mock.url}/stores/tarn/advice?user=bob&name=climate.x&nodes=128`);
  await settled(page);
  await page.screenshot({ path: join(folder, 'dashboard_advice_dark.png'), fullPage: true });
  await page.goto(`${mock.url}/what-if`);
  await settled(page);
  await accessible(page);
  await page.screenshot({ path: join(folder, 'dashboard_what_if_dark.png'), fullPage: true });
  await close();
}

const mock = await startWhatIfMock(resolve(built));
const browser = await launch(chromium);
try {
  for (const test of [simulates, sweeps, lists, troubles, advises, empty]) {
    await test(browser, mock);
    console.log(`${test.name} holds`);
  }
  console.log(`what-if and advice hold; pictures are in ${folder}`);
} finally {
  await browser.close();
  mock.stop();
}
