// SPDX-License-Identifier: Apache-2.0
/** Pages of the dashboard in a browser, with a list of what goes wrong in them; faults of accessibility; and what is read from them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** @typedef {import('playwright-core').Browser} Browser */
/** @typedef {import('playwright-core').Page} Page */

export const zone = 'Europe/Berlin';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * @param {Browser} browser @param {string} url
 * @param {{ width?: number, height?: number, dark?: boolean, expected?: RegExp }} [look] expected: messages of the console that are no trouble
 */
export async function open(browser, url, look = {}) {
  const context = await browser.newContext({ viewport: { width: look.width ?? 1280, height: look.height ?? 900 }, colorScheme: look.dark ? 'dark' : 'light', timezoneId: zone, acceptDownloads: true });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  /** @type {string[]} */
  const troubles = [];
  // That pixels are read twice is the tests' own doing: no page reads any.
  const note = (/** @type {string} */ text) => !look.expected?.test(text) && !text.includes('willReadFrequently') && troubles.push(text);
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && note(`console: ${message.text()}`));
  page.on('pageerror', (error) => note(`error: ${error.message}`));
  page.on('request', (request) => !request.url().startsWith(new URL(url).origin) && !/^(data|blob):/.test(request.url()) && note(`request: ${request.url()}`));
  watch(page);
  await page.goto(url);
  await settled(page);
  return { page, troubles, close: async () => (assert.deepEqual(troubles, [], page.url()), await context.close()) };
}

/** Requests under way, and when the last one began or ended. @type {WeakMap<Page, { open: Set<import('playwright-core').Request>, changed: number }>} */
const traffic = new WeakMap();

/** Keeps count of a page's requests; all but the events, which never end. @param {Page} page */
function watch(page) {
  const seen = { open: new Set(), changed: Date.now() };
  traffic.set(page, seen);
  const is = (/** @type {'add' | 'delete'} */ what) => (/** @type {import('playwright-core').Request} */ request) => {
    if (/^\/api\/v1\/(simulations\/[^/]+\/)?events$/.test(new URL(request.url()).pathname)) return;
    seen.open[what](request);
    seen.changed = Date.now();
  };
  page.on('request', is('add'));
  page.on('requestfinished', is('delete'));
  page.on('requestfailed', is('delete'));
}

const pause = 300; // ms without a request: longer than the page waits before it asks for what is being typed
const longest = 2000; // of requests that are given up the browser does not always say so; what is still loading then is seen on the page

/** Waits until nothing is loading any more. @param {Page} page */
export async function settled(page) {
  const from = Date.now();
  await page.waitForSelector('#main h1, dialog[open], [role=alert]');
  const seen = traffic.get(page);
  while (seen && (seen.open.size > 0 || Date.now() - Math.max(from, seen.changed) < pause) && Date.now() - from < longest) await new Promise((resolve) => setTimeout(resolve, 20));
  await page.waitForFunction(() => document.querySelector('dialog[open]') || !document.querySelector('#main [aria-busy=true], #main .loading'));
}

/** Waits until something holds: machines are busy at times. @param {string} what @param {() => Promise<boolean> | boolean} holds */
export async function until(what, holds) {
  for (let i = 0; i < 100; i++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(what);
}

/** @param {Page} page @param {string} [where] */
export async function said(page, where = '#main') {
  return (await page.locator(where).first().innerText()).replace(/[\u00a0\s]+/g, ' ');
}

/** What is to be said must come, not be there at once: machines are busy at times. @param {Page} page @param {string[]} facts @param {string} [where] */
export async function says(page, facts, where) {
  let text = '';
  for (let i = 0; i < 100; i++) {
    text = await said(page, where);
    if (facts.every((fact) => text.includes(fact))) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  for (const fact of facts) assert(text.includes(fact), `${page.url()} does not say: ${fact}\n${text.slice(0, 2000)}`);
  assert(!/\b(NaN|undefined|Infinity|null)\b/.test(text), `${page.url()}: NaN and the like`);
}

/** The query of the address. @param {Page} page */
export const query = (page) => new URL(page.url()).searchParams;

/** Drags over a part of an element, in shares of its width and height. @param {Page} page @param {string} what @param {[number, number]} from @param {[number, number]} to */
export async function drag(page, what, from, to) {
  const place = page.locator(what).first();
  await place.scrollIntoViewIfNeeded();
  const box = await place.boundingBox();
  assert(box, what);
  await page.mouse.move(box.x + box.width * from[0], box.y + box.height * from[1]);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * ((from[0] + to[0]) / 2), box.y + box.height * ((from[1] + to[1]) / 2), { steps: 3 });
  await page.mouse.move(box.x + box.width * to[0], box.y + box.height * to[1], { steps: 3 });
  await page.mouse.up();
}

/**
 * No fault that keeps people out: names of controls, contrast, headings, landmarks, and all else that axe knows.
 * Of children that are made alike (rows, shapes of a figure, choices) the first four are in the page meanwhile, all where `everything` is asked for: that takes several times as long. @param {Page} page
 */
export async function accessible(page, everything = false) {
  await page.evaluate(axe);
  const faults = await page.evaluate(async (most) => {
    /** @type {[Comment, Element][]} */
    const away = [];
    for (const parent of document.querySelectorAll('body *')) {
      if (parent.childElementCount <= most) continue;
      const alike = new Map();
      for (const child of [...parent.children]) {
        const kind = `${child.tagName} ${child.getAttribute('class')} ${child.getAttribute('role')}`;
        alike.set(kind, (alike.get(kind) ?? 0) + 1);
        if (alike.get(kind) <= most || child.contains(document.activeElement)) continue;
        const mark = document.createComment('');
        child.replaceWith(mark);
        away.push([mark, child]);
      }
    }
    const { axe } = /** @type {any} */ (window);
    axe.configure({ noHtml: true }); // what an element is is said by where it is; long paths as text took most of the time
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    for (const [mark, child] of away) mark.replaceWith(child);
    return violations.map((/** @type {any} */ one) => `${one.impact} ${one.id}: ${one.nodes.slice(0, 3).map((/** @type {any} */ node) => `${node.target.join(' ')} ${node.any?.[0]?.message ?? ''}`).join(' | ')}`);
  }, everything ? Infinity : 4);
  assert.deepEqual(faults, [], page.url());
  const unnamed = await page.evaluate(() => [...document.querySelectorAll('figure')].filter((figure) => !document.getElementById(figure.getAttribute('aria-labelledby') ?? '')?.textContent?.trim()).length);
  assert.equal(unnamed, 0, `${page.url()}: figures without a name`);
}

/** Canvases with more on them than one colour. @param {Page} page */
export const painted = (page) =>
  page.locator('#main canvas').evaluateAll((all) => all.map((one) => {
    const canvas = /** @type {HTMLCanvasElement} */ (one);
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray();
    const colours = new Set();
    for (let i = 0; i < pixels.length && colours.size < 5; i += 4) if ((pixels[i + 3] ?? 0) > 0) colours.add(`${pixels[i]},${pixels[i + 1]},${pixels[i + 2]}`);
    return colours.size >= 4;
  }));
