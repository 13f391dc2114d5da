// SPDX-License-Identifier: Apache-2.0
/** Light or dark: as the system says, or as somebody chose. theme.css has the colours under the class `dark`. */

export type Theme = 'system' | 'light' | 'dark';

const dark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();
let chosen: Theme = 'system';

function apply(): void {
  const now = chosen === 'dark' || (chosen === 'system' && dark.matches);
  document.documentElement.classList.toggle('dark', now);
  document.documentElement.classList.toggle('light', !now);
  for (const listener of listeners) listener();
}

export function chooseTheme(theme: Theme): void {
  chosen = theme;
  apply();
}

/** Calls `changed` after the colours changed. */
export const onTheme = (changed: () => void): void => void listeners.add(changed);

dark.addEventListener('change', apply);
apply();
