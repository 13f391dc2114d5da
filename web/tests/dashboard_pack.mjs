// SPDX-License-Identifier: Apache-2.0
/** The pack that the program carries holds what was built. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** @param {string} folder */
export function pack(folder) {
  const all = readFileSync(join(folder, 'dashboard.pack'));
  const magic = 'FATHOMPACK1\n';
  assert.equal(all.subarray(0, magic.length).toString(), magic);
  /** @type {Map<string, { type: string, raw: Buffer, packed: number }>} */
  const files = new Map();
  for (let at = magic.length; at < all.length; ) {
    const end = all.indexOf('\n', at);
    const [name = '', type = '', size, packed, tag] = all.subarray(at, end).toString().split('\t');
    const raw = gunzipSync(all.subarray(end + 1, end + 1 + Number(packed)));
    assert.equal(raw.length, Number(size), name);
    assert.equal(createHash('sha256').update(raw).digest('hex').slice(0, 16), tag, name);
    assert(raw.equals(readFileSync(join(folder, name))), `${name} is not what was built`);
    files.set(name, { type, raw, packed: Number(packed) });
    at = end + 1 + Number(packed);
  }
  assert.deepEqual([...files.keys()].filter((name) => name.startsWith('assets/')).sort(), readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`).sort());
  const page = files.get('index.html');
  assert(page && page.type === 'text/html; charset=utf-8');
  assert(!/<script(?![^>]*src=)/.test(page.raw.toString()), 'no script within the page: the policy forbids it');
  assert.match(files.get('licences.txt')?.raw.toString() ?? '', /uplot/);
  const first = ['index.html', ...[...page.raw.toString().matchAll(/(?:src|href)="\/([^"]+)"/g)].map((found) => found[1] ?? '')];
  const bytes = first.reduce((sum, name) => sum + (files.get(name)?.packed ?? 0), 0);
  assert(bytes < 150_000, `the first download has ${bytes} bytes, 150,000 is the aim`);
  for (const [name, { raw }] of files) assert(!/\beval\(|new Function\(/.test(raw.toString()), `${name}: no eval`);
  console.log(`pack: ${files.size} files, ${all.length} bytes; first download ${bytes} bytes`);
}
