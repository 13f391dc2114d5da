// SPDX-License-Identifier: Apache-2.0
/** The facts of the store that a page is about; asked again when it has grown. */
import type { StoreInfo } from '../lib/api';
import { path } from './api';
import { live } from './live.svelte';
import { loaded, type Loaded } from './loaded.svelte';

export function storeInfo(id: () => string): Loaded<StoreInfo> {
  return loaded<StoreInfo>(
    () => {
      void live.store(id())?.commit;
      return { where: path('stores', id()) };
    },
    { repeat: (info) => (info.overview.ready && info.machine.ready ? null : 2) },
  );
}
