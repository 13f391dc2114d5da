// SPDX-License-Identifier: Apache-2.0
/** Which runs are compared, and how long each took alone: in the query, as lists. */
import { place, set } from '../../router.svelte';

const listed = (key: string): string[] => place.text(key).split(',').filter((one) => one !== '').map(decoded);
const encoded = (text: string): string => text.replace(/[%,:]/g, (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`);
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const chosenTraces = (): string[] => [...new Set(listed('trace'))];
export const chooseTraces = (ids: string[]): void => set({ trace: ids.map(encoded).join(',') });

/** [trace, seconds or another trace] */
export function chosenAlone(): [string, string][] {
  return place
    .text('alone')
    .split(',')
    .flatMap((one): [string, string][] => {
      const at = one.indexOf(':');
      return at < 1 ? [] : [[decoded(one.slice(0, at)), decoded(one.slice(at + 1))]];
    });
}
export function chooseAlone(all: [string, string][], id: string, value: string): void {
  const next = [...all.filter(([one]) => one !== id), ...(value === '' ? [] : [[id, value] as [string, string]])];
  set({ alone: next.map(([one, what]) => `${encoded(one)}:${encoded(what)}`).join(',') });
}
