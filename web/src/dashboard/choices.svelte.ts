// SPDX-License-Identifier: Apache-2.0
/** What somebody chose for good, in this browser: the theme, and which store and trace were looked at last. */
import { chooseTheme, type Theme } from '../lib/theme';

const remembered = (key: string): string | null => {
  try {
    return localStorage.getItem(`fathom-${key}`);
  } catch {
    return null; // a browser that keeps nothing
  }
};
const remember = (key: string, value: string): void => {
  try {
    localStorage.setItem(`fathom-${key}`, value);
  } catch {
    // then it holds for this visit
  }
};

const themes: Theme[] = ['system', 'light', 'dark'];
const first = themes.find((one) => one === remembered('theme')) ?? 'system';
let theme = $state<Theme>(first);
let store = $state(remembered('store'));
let trace = $state(remembered('trace'));
chooseTheme(first);

export const choices = {
  get theme(): Theme {
    return theme;
  },
  set theme(next: Theme) {
    theme = next;
    remember('theme', next);
    chooseTheme(next);
  },
  get store(): string | null {
    return store;
  },
  set store(next: string | null) {
    store = next;
    remember('store', next ?? '');
  },
  get trace(): string | null {
    return trace;
  },
  set trace(next: string | null) {
    trace = next;
    remember('trace', next ?? '');
  },
};
export const nextTheme = (): Theme => themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
