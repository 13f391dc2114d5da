// SPDX-License-Identifier: Apache-2.0
/** Histogram with the cumulative distribution over it, along x or y: the margins of hexbins and the plots of one quantity. */
import { axisX, axisY, line, rect, ruleX, ruleY, type Markish } from '@observablehq/plot';
import type { Axis } from '../lib/data';
import { amount, percent } from '../lib/units';

export type Tone = 'read' | 'write' | 'jobs';

interface Wanted {
  along: 'x' | 'y'; // where the values are
  tone: Tone;
  domain: [number, number];
  ticks?: number; // of the count axis
}

export const mostIn = (axis: Axis): number => Math.max(1, ...axis.histogram.map((bin) => bin.count));

/** Steps of the share of jobs, from the edge of the plot to the other edge, as [value, share]. */
function steps(axis: Axis, [low, high]: [number, number]): [number, number][] {
  const before = axis.n > 0 ? axis.zeros / axis.n : 0;
  const last = axis.cdf.at(-1)?.[1] ?? before;
  return [[low, before], ...axis.cdf, [high, last]];
}

export function distributionMarks(axis: Axis, { along, tone, domain }: Wanted): Markish[] {
  const most = mostIn(axis);
  const colour = `var(--${tone})`;
  const bars = axis.histogram.filter((bin) => bin.count > 0);
  const share = steps(axis, domain).map(([value, part]) => [value, part * most] as const);
  const curve = { stroke: 'var(--ink)', strokeWidth: 1.4, strokeLinejoin: 'round' as const };
  const p80 = axis.p80 === null || (axis.scale === 'log' && axis.p80 <= 0) ? [] : [axis.p80];
  const dashed = { stroke: 'var(--ink)', strokeDasharray: '5 3', strokeWidth: 1.2 };
  const fill = { fill: colour, fillOpacity: 0.55, inset: 0.4, className: 'bars' };
  return along === 'x'
    ? [rect(bars, { x1: 'from', x2: 'to', y1: 0, y2: 'count', ...fill }), ruleX(p80, dashed), line(share, { x: '0', y: '1', curve: 'step-after', ...curve })]
    : [rect(bars, { y1: 'from', y2: 'to', x1: 0, x2: 'count', ...fill }), ruleY(p80, dashed), line(share, { y: '0', x: '1', curve: 'step-before', ...curve })];
}

/** Jobs on one side, per cent of jobs on the other. */
export function countAxes(axis: Axis, along: 'x' | 'y', label = 'jobs'): Markish[] {
  const most = mostIn(axis);
  const halves = most === 1 ? [0, 1] : [0, most / 2, most];
  const shared = { tickSize: 3, label: null, fontSize: 11 };
  const asCount = (value: number) => (value === most ? `${amount(value)} ${label}` : value === 0 ? '0' : '');
  const asShare = (value: number) => percent(value / most);
  const counts = [0, most];
  return along === 'x'
    ? [axisY(counts, { anchor: 'left', tickFormat: asCount, ...shared }), axisY(halves, { anchor: 'right', tickFormat: asShare, ...shared })]
    : [axisX(counts, { anchor: 'bottom', tickFormat: asCount, ...shared }), axisX([0, most], { anchor: 'top', tickFormat: asShare, ...shared })];
}
