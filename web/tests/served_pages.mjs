// SPDX-License-Identifier: Apache-2.0
/**
 * The pages of a running `fathom serve` in Chromium: each says what the command line says, is drawn, has no fault of accessibility and brings no error; and what people do on them works with the real server.
 *   node served_pages.mjs ADDRESS FACTS.json FOLDER     pictures are left in FOLDER
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium, launch } from './browser.mjs';
import { accessible, drag, open, painted, query, said, says, settled, until } from './dashboard_page.mjs';

/** @typedef {import('playwright-core').Browser} Browser */
/** @typedef {{ path: string, says: string[], [more: string]: any }} Fact */

const [address, file, folder] = process.argv.slice(2);
const chromium = findChromium();
if (!address || !file || !folder || !chromium) throw new Error('usage: node served_pages.mjs ADDRESS FACTS.json FOLDER, with chromium on the PATH');
/** @type {Record<string, Fact>} */
const facts = JSON.parse(readFileSync(file, 'utf8'));
const fact = (/** @type {string} */ name) => facts[name] ?? assert.fail(name);

/** Every page by itself. @param {Browser} browser */
async function shows(browser) {
  for (const [name, one] of Object.entries(facts)) {
    const { page, close } = await open(browser, `${address}${one.path}`);
    await says(page, one.says);
    await accessible(page);
    await page.screenshot({ path: join(folder ?? '', `served-${name}.png`), fullPage: true });
    await close();
    console.log(`${name} says ${one.says.length} things of the command line`);
  }
}

/** A brush over the traffic, then the jobs of that time, one of them, its application's other jobs. @param {Browser} browser */
async function fromTheMachineToAJob(browser) {
  const { page, close } = await open(browser, `${address}${fact('machine').path}`);
  assert.deepEqual(await painted(page), [true, true], 'traffic and servers are drawn');
  await drag(page, '.plot .u-over', [0.4, 0.5], [0.6, 0.5]);
  await settled(page);
  assert(Number(query(page).get('to')) > Number(query(page).get('from')), 'a range is in the address');
  const shown = await said(page);
  const again = await open(browser, page.url());
  assert.equal(await said(again.page), shown, 'the address restores the view');
  await again.close();
  await page.getByRole('button', { name: 'user', exact: true }).click();
  await settled(page);
  assert.equal(query(page).get('by'), 'user');
  await page.goto(`${address}${fact('jobs').path}`);
  await settled(page);
  assert((await said(page, '#main tbody tr')).startsWith(fact('jobs').first), 'the job that wrote most comes first');
  await page.locator('#main tbody a').first().click();
  await settled(page);
  await says(page, fact('job').says);
  assert.equal((await painted(page)).every(Boolean), true, 'its timeline is drawn');
  await close();
}

/** A figure of the papers, a threshold, a hexagon, its jobs. @param {Browser} browser */
async function fromAFigureToItsJobs(browser) {
  const { page, close } = await open(browser, `${address}${fact('population').path}`);
  await page.getByLabel('figure').selectOption({ label: 'D Figs. 4.21-4.23: Read and write intensity' });
  await settled(page);
  assert.deepEqual([query(page).get('x'), query(page).get('y')], ['intensity.read', 'intensity.write']);
  await page.getByRole('slider').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await until('the slider snaps to what is kept', () => query(page).get('threshold') === '524288');
  await settled(page);
  await page.getByLabel('figure').selectOption('0');
  await settled(page);
  await page.locator('.hexagons path').first().click();
  await settled(page);
  await says(page, ['Jobs chosen in the figure']);
  assert((await page.locator('table').last().locator('tbody tr').count()) >= 1, 'jobs of a hexagon');
  await close();
}

/** Down to one MPI-IO call and what it did. @param {Browser} browser */
async function fromATraceToACall(browser) {
  const { page, close } = await open(browser, `${address}${fact('trace').path}`);
  await page.waitForSelector('.map canvas');
  assert.equal((await painted(page)).some(Boolean), true, 'the calls are drawn');
  const place = page.locator('.map');
  await place.focus();
  await page.keyboard.press('+');
  await page.waitForURL(/from=/);
  await page.keyboard.press('0');
  await page.waitForURL((url) => !url.search.includes('from'));
  await page.locator('tbody button', { hasText: 'MPI_File_' }).first().click();
  await page.waitForURL(/call=\d+/);
  await says(page, ['MPI_File_', 'zoom to it'], 'section.chosen');
  await page.goto(`${address}${fact('call').path}`);
  await says(page, fact('call').says, 'section.chosen');
  await close();
}

/** A quarter of an hour of the store on another machine: started, followed, and the same as on the command line. @param {Browser} browser */
async function simulates(browser) {
  const { page, close } = await open(browser, `${address}/what-if`);
  await page.getByRole('combobox', { name: 'Scenario' }).selectOption('jugene-burst-buffer');
  await page.getByRole('combobox', { name: 'Jobs of' }).selectOption('store');
  await page.getByLabel('to', { exact: true }).fill(fact('what-if').to);
  await page.getByLabel('Title', { exact: true }).fill('A quarter of an hour with slow links');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForURL(/\/what-if\/[^/]+$/);
  await page.getByText('New time / original time, over jobs').first().waitFor({ timeout: 120_000 });
  await says(page, ['A quarter of an hour with slow links', ...fact('what-if').finds]);
  await accessible(page);
  await page.screenshot({ path: join(folder ?? '', 'served-simulation.png'), fullPage: true });
  await close();
}

/** The same words on the command line and in the form. @param {Browser} browser */
async function asksForAdvice(browser) {
  const { page, close } = await open(browser, `${address}/stores/shared-servers/advice`);
  const { user, name, nodes } = fact('advice').application;
  await page.getByLabel('Application that is known').selectOption({ label: `${user} / ${name} / ${nodes} nodes` });
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await says(page, fact('advice').says);
  await close();
}

const browser = await launch(chromium);
try {
  await shows(browser);
  for (const test of [fromTheMachineToAJob, fromAFigureToItsJobs, fromATraceToACall, simulates, asksForAdvice]) {
    await test(browser);
    console.log(`${test.name} holds`);
  }
} finally {
  await browser.close();
}
