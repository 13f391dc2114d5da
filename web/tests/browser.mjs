// SPDX-License-Identifier: Apache-2.0
/** A real browser for the tests, and pages that notice when something goes wrong in them. */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium as browsers } from 'playwright-core';

/** The chromium on the PATH, or null. The one without a window does the same with a quarter less work. */
export function findChromium() {
  for (const name of ['chromium-headless-shell', 'chromium']) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      const file = join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        continue;
      }
    }
  }
  return null;
}

/**
 * What a test begins with: `node TEST.mjs EMBED_REPORT FOLDER`. Ends with 77 where there is no chromium.
 * EMBED_REPORT makes a page of JSON (tests/e2e/embed_report.cpp); pages and pictures are left in FOLDER.
 * @param {string[]} page what EMBED_REPORT is told beside the JSON
 */
export function begin(...page) {
  const [program, folderName] = process.argv.slice(2);
  if (!program || !folderName) throw new Error('usage: node TEST.mjs EMBED_REPORT FOLDER');
  const folder = resolve(folderName);
  const chromium = findChromium();
  if (!chromium) {
    console.log('SKIPPED: there is no chromium on the PATH; install it (tools/setup does) to test the page in a browser');
    process.exit(77);
  }
  mkdirSync(folder, { recursive: true });
  /** Writes the page of some data; gives its address, and its size without them. @param {string} name @param {object | string} data */
  const write = (name, data) => {
    const input = typeof data === 'string' ? data : JSON.stringify(data);
    const html = execFileSync(program, page, { input, maxBuffer: 1 << 28 });
    const file = join(folder, `${name}.html`);
    writeFileSync(file, html);
    return { url: pathToFileURL(file).href, bytes: html.length - Buffer.byteLength(input) };
  };
  return { folder, chromium, write };
}

/** @param {string} file */
export const launch = (file) => browsers.launch({ executablePath: file, args: ['--no-sandbox', '--disable-gpu'], timeout: 120_000 });

/**
 * Opens a file and gives the page with a list of what went wrong: errors, warnings, and requests for anything but the file.
 * @param {import('playwright-core').Browser} browser @param {string} url
 * @param {{ width?: number, dark?: boolean }} [look]
 */
export async function openPage(browser, url, look = {}) {
  const page = await browser.newPage({ viewport: { width: look.width ?? 1280, height: 900 }, colorScheme: look.dark ? 'dark' : 'light' });
  page.setDefaultTimeout(60_000);
  /** @type {string[]} */
  const troubles = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && troubles.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('request', (request) => request.url() !== url && !request.url().startsWith('data:') && troubles.push(`request: ${request.url()}`));
  await page.goto(url);
  await page.waitForSelector('footer, #report:not(:empty)');
  return { page, troubles };
}

/** A page's text with plain blanks. @param {import('playwright-core').Page | import('playwright-core').Locator} where */
export async function textOf(where) {
  const text = 'goto' in where ? await where.locator('body').innerText() : await where.innerText();
  return text.replace(/[\u00a0\s]+/g, ' ');
}
