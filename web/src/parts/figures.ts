// SPDX-License-Identifier: Apache-2.0
/** Numbers of figures, in the order in which they are set up; and what can be done with a figure. Both are as the page around wants it. */
import { getContext, setContext, type Component } from 'svelte';
import type { Table } from '../lib/tables';

const numbers = Symbol('numbers of figures');
const tools = Symbol('tools of figures');

export const numberFigures = (): void => {
  setContext(numbers, { last: 0 });
};
/** Null: figures have no numbers here. */
export const nextFigure = (): number | null => {
  const found = getContext<{ last: number } | undefined>(numbers);
  return found ? ++found.last : null;
};

export interface ToolProps {
  figure: HTMLElement;
  title: string;
  table: (() => Table) | undefined; // the numbers behind it
}

export const setFigureTools = (component: Component<ToolProps>): void => {
  setContext(tools, component);
};
export const figureTools = (): Component<ToolProps> | undefined => getContext(tools);
