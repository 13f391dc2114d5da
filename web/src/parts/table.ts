// SPDX-License-Identifier: Apache-2.0
/** What a column of a table holds decides how it is written. */
import type { Unit } from '../lib/data';
import { count, written } from '../lib/units';

export interface Column {
  name: string;
  holds: Unit | 'text' | 'whole'; // whole: all digits of a count
  tint?: 'read' | 'write';
}

/** A link where it leads somewhere. */
export type Cell = string | number | null | { text: string; href: string };

export function cellText(cell: Cell, column: Column): string {
  if (cell === null) return '–';
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'object') return cell.text;
  return column.holds === 'text' || column.holds === 'whole' ? count(cell) : written(cell, column.holds);
}
