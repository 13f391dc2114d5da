// SPDX-License-Identifier: Apache-2.0
/** Which part of a job's timeline is shown, in the address: seconds after its start. */
import type { Amount } from '../../../plots/timeline_panels';
import { set } from '../../router.svelte';

let timer: ReturnType<typeof setTimeout> | undefined;

/** A little later: plots tell of every step of a zoom. */
export function remember(range: [number, number] | null, of: Amount): void {
  clearTimeout(timer);
  const path = location.pathname;
  timer = setTimeout(() => {
    if (location.pathname === path) set({ after: range ? Math.round(range[0]) : null, until: range ? Math.round(range[1]) : null, of: of === 'ops' ? of : null }, 'replace');
  }, 300);
}
