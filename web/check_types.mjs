// SPDX-License-Identifier: Apache-2.0
/** The types of all source of web/, by svelte-check; not again where the same source was well before. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, filesOf, here, markOf } from './known.mjs';

const ofTop = readdirSync(here).filter((name) => /\.(ts|js|mjs|json)$/.test(name) && name !== 'package-lock.json');
const well = join(cache, 'types', markOf('types', [...ofTop, ...filesOf('src'), ...filesOf('tests')]));
if (existsSync(well)) {
  console.log('the types of this source are known to be well');
} else {
  const done = spawnSync(process.execPath, ['node_modules/svelte-check/bin/svelte-check', '--tsconfig', './tsconfig.json', '--fail-on-warnings'], { cwd: here, stdio: 'inherit' });
  if (done.status !== 0) process.exit(done.status ?? 1);
  try {
    mkdirSync(join(cache, 'types'), { recursive: true });
    writeFileSync(well, '');
  } catch {
    // Then it is looked at again.
  }
}
