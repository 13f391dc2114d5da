// SPDX-License-Identifier: Apache-2.0
/** Where we are: the path says which page, the query holds everything that a page shows. A link restores all of it. */
import { flushSync } from 'svelte';

let path = $state(location.pathname);
let search = $state(location.search);
const parameters = $derived(new URLSearchParams(search));

function follow(): void {
  path = location.pathname;
  search = location.search;
}

export type Change = Record<string, string | number | null | undefined>;

/** The query after a change; null, undefined and '' take a key out. */
function changed(query: URLSearchParams, change: Change): string {
  const next = new URLSearchParams(query);
  for (const [key, value] of Object.entries(change)) {
    if (value === null || value === undefined || value === '') next.delete(key);
    else next.set(key, String(value));
  }
  const text = next.toString();
  return text === '' ? '' : `?${text}`;
}

export const place = {
  get path(): string {
    return path;
  },
  get query(): URLSearchParams {
    return parameters;
  },
  /** '' where it is not there. */
  text: (key: string): string => parameters.get(key) ?? '',
  number(key: string): number | null {
    const text = parameters.get(key);
    const value = text === null || text === '' ? NaN : Number(text);
    return Number.isFinite(value) ? value : null;
  },
};

/** Another page, or the same with another query. */
export function go(href: string, how: 'push' | 'replace' = 'push'): void {
  const from = path;
  if (how === 'push') history.pushState(null, '', href);
  else history.replaceState(null, '', href);
  flushSync(follow);
  if (path !== from) {
    scrollTo(0, 0);
    document.getElementById('main')?.focus({ preventScroll: true });
  }
}

/** The address of this page with a changed query. */
export const linkTo = (change: Change): string => path + changed(parameters, change);

/** Changes the query. 'replace' while something is dragged or typed: Back then leaps over it. */
export function set(change: Change, how: 'push' | 'replace' = 'push'): void {
  const next = linkTo(change);
  if (next !== path + search) go(next, how);
}

/** Address of a page: address('/stores/:store/jobs/:job', {store, job}, {start}). */
export function address(pattern: string, parts: Record<string, string> = {}, query: Change = {}): string {
  return pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parts[name] ?? '')) + changed(new URLSearchParams(), query);
}

/** The parts of a path that fits a pattern, or null. */
export function fits(pattern: string, given: string): Record<string, string> | null {
  const [wanted, found] = [pattern.split('/'), given.replace(/(.)\/$/, '$1').split('/')];
  if (wanted.length !== found.length) return null;
  const parts: Record<string, string> = {};
  for (const [i, one] of wanted.entries()) {
    const text = found[i] ?? '';
    if (!one.startsWith(':')) {
      if (one !== text) return null;
      continue;
    }
    try {
      parts[one.slice(1)] = decodeURIComponent(text);
    } catch {
      return null;
    }
  }
  return parts;
}

/** Links within the dashboard do not load it anew. */
function clicked(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const href = link instanceof SVGAElement ? link.href.baseVal : link.href;
  const url = new URL(href, location.href);
  if (url.origin !== location.origin || link.hasAttribute('download') || link.getAttribute('target') || url.hash !== '' || /^\/(api\/|licences\.txt)/.test(url.pathname)) return;
  event.preventDefault();
  go(url.pathname + url.search);
}

addEventListener('popstate', follow);
document.addEventListener('click', clicked);
