// SPDX-License-Identifier: Apache-2.0
/** Numbers of figures, in the order in which they are set up. */
import { getContext, setContext } from 'svelte';

const key = Symbol('figures');

export const numberFigures = (): void => {
  setContext(key, { last: 0 });
};
export const nextFigure = (): number => ++getContext<{ last: number }>(key).last;
