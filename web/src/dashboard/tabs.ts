// SPDX-License-Identifier: Apache-2.0
/** Where a tab leads: pages of a store or trace lead to the one that is chosen. */
import type { Catalog } from '../lib/api';
import type { Page } from './pages';
import { address } from './router.svelte';

interface Chosen {
  store: string | null;
  trace: string | null;
}

/** The chosen one if it is there, or the first. */
export const storeOf = (catalog: Catalog | null, chosen: Chosen): string | null =>
  (catalog?.stores.find((one) => one.id === chosen.store) ?? catalog?.stores.find((one) => one.problem === null))?.id ?? null;
export const traceOf = (catalog: Catalog | null, chosen: Chosen): string | null =>
  (catalog?.traces.find((one) => one.id === chosen.trace) ?? catalog?.traces.find((one) => one.problem === null))?.id ?? null;

export function hrefOf(page: Page, catalog: Catalog | null, chosen: Chosen): string | null {
  if (page.of === 'all') return page.path;
  const id = page.of === 'store' ? storeOf(catalog, chosen) : traceOf(catalog, chosen);
  return id === null ? null : address(page.path, { store: id, trace: id });
}
