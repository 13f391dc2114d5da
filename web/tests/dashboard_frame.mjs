// SPDX-License-Identifier: Apache-2.0
/** What all pages share: ways between them, themes, keys, downloads, the token, and what is said when something is missing. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accessible, open, query, said, says, settled, until } from './dashboard_page.mjs';
import { policy } from './mock_api.mjs';
import * as store from './mock_store.mjs';

/** @typedef {import('playwright-core').Browser} Browser */
/** @typedef {Awaited<ReturnType<typeof import('./mock_api.mjs').startMock>>} Mock */

const ofStore = '/stores/tarn';
const someJob = store.jobs.find((one) => one.row.name === 'turbulence' && one.kind === 'checkpoint' && one.duration > 30000)?.row;
/** Every page of the dashboard. */
export const addresses = {
  home: '/', machine: `${ofStore}/machine`, population: `${ofStore}/population`, jobs: `${ofStore}/jobs`, job: `${ofStore}/jobs/${someJob?.job_id}?start=${someJob?.start}`, applications: `${ofStore}/applications`,
  application: `${ofStore}/applications/detail?user=bob&name=climate.x&nodes=128`, advice: `${ofStore}/advice`, trace: '/traces/turb-a', compete: '/compete', 'what-if': '/what-if', simulation: '/what-if/s1',
};

/** Home, tabs, the chooser, Back and Forward. @param {Browser} browser @param {Mock} mock */
export async function frame(browser, mock) {
  const response = await fetch(mock.url);
  assert.equal(response.headers.get('content-security-policy'), policy);
  const { page, close } = await open(browser, mock.url);
  await says(page, ['tarn', '2,013', '2013-04-01 to 2013-05-01', '30 d', 'scratch, home', 'It cannot be read: written by a newer version', 'turbulence, run A', '1,482,311 events', 'the file ends within a block']);
  await page.getByRole('link', { name: 'Machine', exact: true }).first().click();
  await settled(page);
  assert.equal(new URL(page.url()).pathname, '/stores/tarn/machine');
  assert.equal(await page.locator('nav a[aria-current=page]').innerText(), 'Machine');
  await page.getByLabel('Pages').getByRole('link', { name: 'Jobs' }).click();
  await settled(page);
  await page.getByLabel('Store or trace').selectOption('fresh');
  await settled(page);
  assert.equal(new URL(page.url()).pathname, '/stores/fresh/jobs', 'the same page of another store');
  await page.getByLabel('Store or trace').selectOption({ label: 'turbulence, run A' });
  await settled(page);
  assert.equal(new URL(page.url()).pathname, '/traces/turb-a');
  await page.goBack();
  await page.goBack();
  await settled(page);
  assert.equal(new URL(page.url()).pathname, '/stores/tarn/jobs');
  await page.goForward();
  await settled(page);
  assert.equal(new URL(page.url()).pathname, '/stores/fresh/jobs');
  assert.equal(await page.title(), 'Jobs · fresh · Fathom');
  await page.goto(`${mock.url}/no/such/page`);
  await says(page, ['There is nothing here', '/no/such/page']);
  assert.equal(await said(page, '.zone'), 'Europe/Berlin');
  await page.goto(`${mock.url}${addresses.jobs}`);
  await settled(page);
  assert.match((await page.locator('tbody time').first().getAttribute('title')) ?? '', /^2013-04-30 \d\d:\d\d:\d\d UTC$/);
  await close();
}

/** The choice holds against the system, for plots too, and is remembered. @param {Browser} browser @param {Mock} mock */
export async function theme(browser, mock) {
  const { page, close } = await open(browser, `${mock.url}${addresses.machine}`);
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const picture = () => page.locator('.plot canvas').evaluate((one) => /** @type {HTMLCanvasElement} */ (one).toDataURL());
  const [light, lightPlot] = [await paper(), await picture()];
  const button = page.getByRole('button', { name: /^Theme/ });
  await button.click();
  assert.equal(await paper(), light, 'system, then light');
  await button.click();
  assert.equal(await paper(), 'rgb(16, 21, 28)');
  assert.notEqual(await picture(), lightPlot, 'the plot follows');
  await page.reload();
  await settled(page);
  assert.equal(await paper(), 'rgb(16, 21, 28)', 'it is remembered');
  await page.getByRole('button', { name: /^Theme: dark/ }).click();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForFunction(() => getComputedStyle(document.body).backgroundColor === 'rgb(16, 21, 28)');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.waitForFunction((wanted) => getComputedStyle(document.body).backgroundColor === wanted, light);
  await close();
}

/** @param {Browser} browser @param {Mock} mock */
export async function keyboard(browser, mock) {
  const { page, close } = await open(browser, mock.url);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');
  const focused = new Set();
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab');
    const one = await page.evaluate(() => {
      const element = document.activeElement;
      return element && element !== document.body ? { what: `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent}`, outline: getComputedStyle(element).outlineStyle } : null;
    });
    if (!one) continue;
    assert.notEqual(one.outline, 'none', `${one.what}: the focus is seen`);
    focused.add(one.what);
  }
  for (const wanted of ['A tarn', 'A Population', 'A Compete', 'SELECT Store or trace']) assert([...focused].some((one) => one.startsWith(wanted)), `${wanted} can be reached by Tab`);
  await page.locator('#main').focus();
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open]');
  await says(page, ['this help', 'Population', 'never drawn as zero'], 'dialog[open]');
  assert.equal(await page.locator('dialog a[href="/licences.txt"]').count(), 1);
  await accessible(page);
  await page.keyboard.press('Escape');
  await page.waitForSelector('dialog[open]', { state: 'detached' }).catch(() => {});
  assert.equal(await page.locator('dialog[open]').count(), 0);
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await settled(page);
  assert.equal(new URL(page.url()).pathname, '/stores/tarn/population');
  await close();
}

/** Every figure as csv, svg and png. @param {Browser} browser @param {Mock} mock */
export async function downloads(browser, mock) {
  const { page, close } = await open(browser, `${mock.url}${addresses.machine}?last=86400`);
  const take = async (/** @type {string} */ figure, /** @type {string} */ kind) => {
    const waiting = page.waitForEvent('download');
    await page.getByLabel(`Download: ${figure}`).getByRole('button', { name: kind }).click();
    const file = await waiting;
    return { name: file.suggestedFilename(), content: readFileSync(await file.path()) };
  };
  const csv = await take('Traffic of all file systems', 'csv');
  assert.equal(csv.name, 'traffic-of-all-file-systems.csv');
  const lines = csv.content.toString().trim().split('\r\n');
  assert.equal(lines[0], 'time,read,write,coverage');
  assert.equal(lines.length, 1 + 720);
  assert.match(lines[1] ?? '', /^\d+(\.\d+)?,\d+(\.\d+)?,\d+(\.\d+)?,1$/);
  const png = await take('Traffic of all file systems', 'png');
  assert.deepEqual([...png.content.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  assert(png.content.length > 10_000, 'a picture with something on it');
  assert.match((await take('Servers over time', 'csv')).content.toString(), /^server,time,bytes per second \(total\)\r\nion000/);
  assert.match((await take('Jobs over time', 'csv')).content.toString(), /^job,user,name,nodes,start,end,bytes\r\n\d+,u\d+/);
  await page.goto(`${mock.url}${addresses.population}`);
  await settled(page);
  const svg = (await take('Bytes', 'svg')).content.toString();
  assert(svg.startsWith('<svg') && !svg.includes('var(--'), 'colours are written out');
  const pair = store.population(new URLSearchParams({ x: 'bytes.read', y: 'bytes.write' })).pair;
  assert(svg.split('<path').length > (pair?.hexagons.length ?? Infinity), 'all hexagons are in it');
  assert((await take('Bytes', 'png')).content.length > 20_000);
  assert.equal((await take('Bytes', 'csv')).content.toString().trim().split('\r\n').length, 1 + (pair?.hexagons.length ?? 0));
  await close();
}

/** @param {Browser} browser @param {Mock} mock */
export async function token(browser, mock) {
  mock.settings.token = 'open sesame';
  const { page, close } = await open(browser, `${mock.url}${addresses.machine}`, { expected: /401/ });
  await page.getByRole('textbox', { name: 'Token' }).fill('wrong');
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('The last token was not accepted.').waitFor();
  await accessible(page);
  await page.getByRole('textbox', { name: 'Token' }).fill('open sesame');
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog[open]', { state: 'hidden' });
  await settled(page);
  await says(page, ['152 servers']);
  assert.deepEqual(await page.evaluate(() => [Object.values(sessionStorage).includes('open sesame'), Object.values(localStorage).includes('open sesame')]), [true, false], 'kept in this tab only');
  await page.reload();
  await settled(page);
  await says(page, ['152 servers']);
  assert(!mock.asked.some((path) => path.includes('sesame')), 'never in an address');
  await page.waitForSelector('.live:not(.off)');
  await close();
  mock.settings.token = null;
}

/** Loading, failing, empty. @param {Browser} browser @param {Mock} mock */
export async function states(browser, mock) {
  mock.settings.fails = /\/jobs$/;
  const failing = await open(browser, `${mock.url}${addresses.jobs}`, { expected: /500/ });
  await says(failing.page, ['the store cannot be read: a block is damaged']);
  await accessible(failing.page);
  mock.settings.fails = null;
  await failing.page.getByRole('button', { name: 'Try again' }).click();
  await settled(failing.page);
  await says(failing.page, ['2,013 jobs']);
  await failing.close();

  mock.settings.wait = 700;
  const slow = await open(browser, `${mock.url}${addresses.jobs}`);
  const loading = slow.page.goto(`${mock.url}${addresses.machine}`);
  await slow.page.getByText('Loading the store').waitFor();
  await loading;
  mock.settings.wait = 0;
  await settled(slow.page);
  await slow.close();

  mock.settings.empty = true;
  const empty = await open(browser, mock.url);
  await says(empty.page, ['This server has no store and no trace.', 'fathom serve']);
  await accessible(empty.page);
  await empty.close();
  mock.settings.empty = false;

  /** @type {[string, string[]][]} */
  const fresh = [
    ['machine', ['There are no counters in this store.', 'fathom ingest']], ['population', ['No criteria of jobs are kept', 'fathom criteria STORE --min-runtime 0']],
    ['jobs', ['There are no jobs in this store']], ['applications', ['Nothing has been mined', 'fathom mine']],
  ];
  for (const [name, facts] of fresh) {
    const { page, close } = await open(browser, `${mock.url}/stores/fresh/${name}`);
    await says(page, facts);
    await accessible(page);
    await close();
  }
  const filtered = await open(browser, `${mock.url}${addresses.population}?user=nobody`);
  await says(filtered.page, ['No job passes these filters']);
  await filtered.close();
}

/** A store that grows is asked again, and a lost connection comes back. @param {Browser} browser @param {Mock} mock */
export async function live(browser, mock) {
  const times = () => mock.asked.filter((path) => path.startsWith('/api/v1/stores/tarn/jobs')).length;
  const none = times();
  const { page, close } = await open(browser, `${mock.url}${addresses.jobs}`);
  await page.waitForSelector('.live:not(.off)');
  await page.waitForTimeout(500);
  assert.equal(times(), none + 1, 'once: hearing that the store is as it was asks nothing again');
  mock.grow();
  await until('asked again', () => times() > none + 1);
  assert.equal(query(page).toString(), '', 'nothing is set by itself');
  await close();
}

const inTheDark = ['machine', 'job', 'application', 'trace']; // between them they have every kind of figure

/** Every page, some in both themes; all in both, and on a wide screen too, where `everything` is asked for: no fault of accessibility, no wider than the window. @param {Browser} browser @param {Mock} mock @param {string} folder @param {boolean} everything */
export async function looks(browser, mock, folder, everything) {
  for (const [name, address] of Object.entries(addresses)) {
    for (const width of everything ? [1280, 1920] : [1280]) {
      for (const dark of everything || inTheDark.includes(name) ? [false, true] : [false]) {
        const { page, close } = await open(browser, `${mock.url}${address}`, { width, height: width === 1280 ? 900 : 1080, dark });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(overflow, 0, `${name}: at ${width} pixels the page is wider than the window`);
        if (width === 1280) await accessible(page, everything);
        await page.screenshot({ path: join(folder, `dashboard-${name}-${width}-${dark ? 'dark' : 'light'}.png`), fullPage: true });
        await close();
      }
    }
  }
  // On a small screen tables scroll: they can be reached by keys then, and have names of their own.
  for (const name of /** @type {const} */ (['machine', 'jobs', 'advice', 'trace'])) {
    const { page, close } = await open(browser, `${mock.url}${addresses[name]}`, { width: 700 });
    if (name === 'machine') assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0, 'on a small screen too');
    if (name === 'advice') assert((await page.locator('[role=group][tabindex="0"]').count()) >= 1, 'a table that scrolls');
    await accessible(page);
    await close();
  }
}
