// SPDX-License-Identifier: Apache-2.0
/** Which values are on the axes: 'bytes.read' in the address is a value and a direction. */
import type { ValueInfo, Values } from '../../../lib/api';
import { place } from '../../router.svelte';

export interface Chosen {
  asked: string; // 'bytes.read'
  value: ValueInfo;
  direction: ValueInfo['directions'][number]['key'];
}

export function chosenOf(values: ValueInfo[], asked: string): Chosen | null {
  const [key, direction = ''] = asked.split('.');
  const value = values.find((one) => one.key === key);
  const found = value?.directions.find((one) => one.key === direction) ?? value?.directions[0];
  return value && found ? { asked: askedFor(value, found.key), value, direction: found.key } : null;
}

export const askedFor = (value: ValueInfo, direction: string): string => (direction === '' ? value.key : `${value.key}.${direction}`);

/** What the address says, or the first preset. y of 'none': one axis alone. */
export function axesOf({ values, presets }: Values): { x: Chosen | null; y: Chosen | null } {
  const usual = presets[0] ?? { x: values[0] ? askedFor(values[0], values[0].directions[0]?.key ?? '') : '', y: null };
  const x = chosenOf(values, place.text('x') || usual.x);
  const y = place.text('y') === 'none' ? null : chosenOf(values, place.text('y') || (place.text('x') === '' ? (usual.y ?? '') : ''));
  return { x, y };
}

export const toneOf = (direction: string): 'read' | 'write' | 'jobs' => (direction === 'read' || direction === 'write' ? direction : 'jobs');

/** Titles for people: "Bytes, written". */
export function titleOf({ value, direction }: Chosen): string {
  const label = value.directions.find((one) => one.key === direction)?.label ?? '';
  return label === '' ? value.title : `${value.title}, ${label}`;
}
