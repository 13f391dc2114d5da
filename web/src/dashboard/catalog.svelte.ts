// SPDX-License-Identifier: Apache-2.0
/** What the server has: its stores and traces. The shell asks; every page may look. */
import { getContext, setContext } from 'svelte';
import type { Catalog } from '../lib/api';
import { live, meet } from './live.svelte';
import { loaded, type Loaded } from './loaded.svelte';

const key = Symbol('catalog');

export function provideCatalog(): Loaded<Catalog> {
  const catalog = loaded<Catalog>(() => {
    void live.returns; // a server that came back may have others
    return { where: '/' };
  });
  $effect(() => meet(catalog.value?.stores ?? []));
  setContext(key, catalog);
  return catalog;
}

export const catalogOf = (): Loaded<Catalog> => getContext<Loaded<Catalog>>(key);
