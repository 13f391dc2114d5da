// SPDX-License-Identifier: Apache-2.0
/** Filters of jobs as they stand in the address and in questions to the server. */
import type { Query } from './api';
import { place } from './router.svelte';

export const filterKeys = ['min_runtime', 'max_runtime', 'min_nodes', 'max_nodes', 'user', 'name', 'from', 'to', 'io'] as const;

export const filtersAsked = (): Query => Object.fromEntries(filterKeys.map((key) => [key, place.text(key)]));
export const filtersSet = (): number => filterKeys.filter((key) => place.text(key) !== '').length;

const two = (value: number): string => String(value).padStart(2, '0');

/** The day of the reader's calendar on which a moment is, as a date field wants it. */
export function dayOf(unix: number | null): string {
  if (unix === null) return '';
  const at = new Date(unix * 1000);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** The moment at which a day begins (or, with `days` of 1, ends). */
export function momentOf(text: string, days = 0): number | null {
  const [year, month, date] = text.split('-').map(Number);
  if (!year || !month || !date) return null;
  return new Date(year, month - 1, date + days).getTime() / 1000;
}
