// SPDX-License-Identifier: Apache-2.0
/** A real browser for the tests, and pages that notice when something goes wrong in them. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

/** The chromium on the PATH, or null. */
export function findChromium() {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder, 'chromium');
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      continue;
    }
  }
  return null;
}

/** @param {string} file */
export const launch = (file) => chromium.launch({ executablePath: file, args: ['--no-sandbox', '--disable-gpu'], timeout: 120_000 });

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
