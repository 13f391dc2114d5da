// SPDX-License-Identifier: Apache-2.0
/** Packs the built dashboard into one file that the program carries, and sees to it that the first download stays small. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

const magic = 'FATHOMPACK1\n';
const most = 500_000; // bytes of the first download, compressed

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8', js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml', txt: 'text/plain; charset=utf-8',
};

const bytesOf = (part: Rolldown.OutputAsset | Rolldown.OutputChunk): Buffer => Buffer.from(part.type === 'chunk' ? part.code : part.source);
const squeezed = (raw: Buffer): Buffer => gzipSync(raw, { level: 9 });

/** The page, its script with all that it imports at once, and their styles. */
function firstDownload(bundle: Rolldown.OutputBundle): Set<string> {
  const wanted = new Set<string>();
  const add = (name: string) => {
    const part = bundle[name];
    if (!part || wanted.has(name)) return;
    wanted.add(name);
    if (part.type === 'chunk') part.imports.forEach(add);
  };
  for (const [name, part] of Object.entries(bundle)) {
    if (name.endsWith('.html')) {
      add(name);
      for (const [, asset] of bytesOf(part).toString().matchAll(/(?:src|href)="\/([^"]+)"/g)) add(asset ?? '');
    }
  }
  return wanted;
}

/**
 * dashboard.pack: the magic, then for each file a line "NAME, type, size, size when compressed, ETag" with tabs between, and its bytes as gzip.
 * The page of --mode dashboard is its index.html.
 */
export function pack(): Plugin {
  return {
    name: 'fathom-pack',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['dashboard.html'];
      if (page?.type !== 'asset') throw new Error('the build made no dashboard.html');
      delete bundle['dashboard.html'];
      this.emitFile({ type: 'asset', fileName: 'index.html', source: page.source });
    },
    writeBundle(options, bundle) {
      const first = firstDownload(bundle);
      let initial = 0;
      const parts: Buffer[] = [Buffer.from(magic)];
      for (const name of Object.keys(bundle).sort()) {
        const part = bundle[name];
        if (!part) continue;
        const raw = bytesOf(part);
        const small = squeezed(raw);
        const type = types[name.split('.').at(-1) ?? ''];
        if (!type) throw new Error(`${name}: files of this kind have no type in vite_pack.ts`);
        if (first.has(name)) initial += small.length;
        const tag = createHash('sha256').update(raw).digest('hex').slice(0, 16);
        parts.push(Buffer.from(`${name}\t${type}\t${raw.length}\t${small.length}\t${tag}\n`), small);
      }
      if (initial > most) throw new Error(`the first download has ${initial} bytes compressed, ${most} is the limit`);
      writeFileSync(join(options.dir ?? '.', 'dashboard.pack'), Buffer.concat(parts));
      this.info(`first download: ${first.size} files, ${initial} bytes compressed`);
    },
  };
}
