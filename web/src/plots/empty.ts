// SPDX-License-Identifier: Apache-2.0
/** Why there is no plot. */
import { isEmpty } from '../lib/axis';
import type { Axis } from '../lib/data';
import { count } from '../lib/units';

export function whyEmpty(axes: Axis[]): string {
  const axis = axes.find(isEmpty);
  if (!axis) return 'Nothing to draw: no job has a value on both axes.';
  if (axis.n === 0) return `Nothing to draw: there is no value of “${axis.label}”.`;
  return `Nothing to draw: “${axis.label}” is zero for ${axis.n === 1 ? 'the only job' : `all ${count(axis.n)} jobs`}.`;
}
