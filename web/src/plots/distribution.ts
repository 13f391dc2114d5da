// SPDX-License-Identifier: Apache-2.0
/** Histogram with the cumulative distribution over it, along x or y: the margins of hexbins and the plots of one quantity. */
import { axisX, axisY, line, rect, ruleX, ruleY, text, type Markish } from '@observablehq/plot';
import { position } from '../lib/axis';
import type { Axis } from '../lib/data';
import { amount, percent, written } from '../lib/units';

export type Tone = 'read' | 'write' | 'jobs';

interface Wanted {
  along: 'x' | 'y'; // where the values are
  tone: Tone;
  domain: [number, number];
}

export function hasPlace(value: number | null, axis: Axis): value is number {
  return value !== null && (axis.scale === 'linear' || value > 0);
}

/** Where a value stands in the range that is shown: 0 at its beginning, 1 at its end. */
export function along(value: number, { scale }: Axis, [low, high]: [number, number]): number {
  return (position(value, scale) - position(low, scale)) / (position(high, scale) - position(low, scale));
}

/** "80 % ≤ 4.77 h"; what is written as "> 99.99 %" gets no second sign. */
export function eightyText(axis: Axis): string {
  if (axis.p80 === null) return '';
  const value = written(axis.p80, axis.unit);
  return /^[<>]/.test(value) ? `80\u00a0%: ${value}` : `80\u00a0% ≤ ${value}`;
}

/** The label of the 80 % line, above the plot. */
export function eightyLabel(axis: Axis, domain: [number, number]): Markish[] {
  if (!hasPlace(axis.p80, axis)) return [];
  const far = along(axis.p80, axis, domain) > 0.55; // then the label stands on the near side
  const style = { frameAnchor: 'top', dy: -10, dx: far ? 4 : -4, textAnchor: far ? 'end' : 'start', fontSize: 12, fontWeight: 600, fill: 'var(--ink)' } as const;
  return [text([eightyText(axis)], { x: [axis.p80], ...style })];
}

export const mostIn = (axis: Axis): number => Math.max(1, ...axis.histogram.map((bin) => bin.count));

/** Steps of the share of jobs, from the edge of the plot to the other edge, as [value, share]. */
function steps(axis: Axis, [low, high]: [number, number]): [number, number][] {
  const before = axis.n > 0 ? axis.zeros / axis.n : 0;
  const last = axis.cdf.at(-1)?.[1] ?? before;
  return [[low, before], ...axis.cdf, [high, last]];
}

export function distributionMarks(axis: Axis, { along: way, tone, domain }: Wanted): Markish[] {
  const most = mostIn(axis);
  const colour = `var(--${tone})`;
  const bars = axis.histogram.filter((bin) => bin.count > 0);
  const share = steps(axis, domain).map(([value, part]) => [value, part * most] as const);
  const curve = { stroke: 'var(--ink)', strokeWidth: 1.4, strokeLinejoin: 'round' as const };
  const p80 = hasPlace(axis.p80, axis) ? [axis.p80] : [];
  const dashed = { stroke: 'var(--ink)', strokeDasharray: '5 3', strokeWidth: 1.2 };
  const fill = { fill: colour, fillOpacity: 0.55, inset: 0.4, className: 'bars' };
  return way === 'x'
    ? [rect(bars, { x1: 'from', x2: 'to', y1: 0, y2: 'count', ...fill }), ruleX(p80, dashed), line(share, { x: '0', y: '1', curve: 'step-after', ...curve })]
    : [rect(bars, { y1: 'from', y2: 'to', x1: 0, x2: 'count', ...fill }), ruleY(p80, dashed), line(share, { y: '0', x: '1', curve: 'step-before', ...curve })];
}

/** Jobs on one side, per cent of jobs on the other. */
export function countAxes(axis: Axis, way: 'x' | 'y', of: string): Markish[] {
  const most = mostIn(axis);
  const halves = [most / 2, most];
  const shared = { tickSize: 3, label: null, fontSize: 11 };
  const asCount = (value: number) => (value === most ? `${amount(value)} ${value === 1 ? of.replace(/s$/, '') : of}`.trim() : '0');
  const asShare = (value: number) => percent(value / most);
  const counts = [0, most];
  return way === 'x'
    ? [axisY(counts, { anchor: 'left', text: asCount, ...shared }), axisY(halves, { anchor: 'right', text: asShare, ...shared })]
    : [axisX(counts, { anchor: 'bottom', text: asCount, ...shared }), axisX([most], { anchor: 'top', text: asShare, ...shared })];
}
