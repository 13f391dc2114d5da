// SPDX-License-Identifier: Apache-2.0
/** The numbers by which two results are compared. */
import { priceText } from '../../../lib/price';
import { amount, count, written } from '../../../lib/units';
import type { PointRatio, RatioData, WhatIfData } from '../../../lib/what_if_data';
import type { SimulationAnswer } from '../../../lib/api';

const ratio = (value: number | null | undefined): string => (value === null || value === undefined ? '–' : written(value, 'ratio'));
const share = (value: number | null | undefined): string => (value === null || value === undefined ? '–' : written(value, 'fraction'));

const ofRatio = (what: string, of: RatioData): [string, string][] => [
  [`${what}: average`, ratio(of.axis.mean)], [`${what}: median`, ratio(of.axis.median)], [`${what}: maximum`, ratio(of.axis.max)], [`${what}: jobs above 1.1`, share(of.share_above)],
];
const ofPoint = (what: string, of: PointRatio | null): [string, string][] => [
  [`${what}: average`, ratio(of?.average)], [`${what}: median`, ratio(of?.median)], [`${what}: maximum`, ratio(of?.maximum)], [`${what}: jobs above 1.1`, share(of?.share_above)],
];

/** Of a sweep: its cheapest combination among those that slow jobs down least. */
function best(data: WhatIfData): [string, string][] {
  const points = (data.sweep?.points ?? []).filter((one) => one.run !== null).sort((a, b) => (a.run?.average ?? 0) - (b.run?.average ?? 0) || (a.cost ?? 0) - (b.cost ?? 0));
  const first = points[0];
  if (!first) return [['combinations', count(data.sweep?.points.length ?? 0)]];
  return [
    ['combinations', count(data.sweep?.points.length ?? 0)], ['the fastest', data.sweep?.axes.map((axis, i) => `${axis} ${first.values[i]}`).join(', ') ?? ''],
    ...ofPoint('I/O time', first.io), ...ofPoint('run time', first.run), ['cost', first.cost === null ? '–' : priceText(first.cost, data.currency)],
  ];
}

export function keyNumbers(answer: SimulationAnswer): [string, string][] {
  const data = answer.result;
  if (!data) return [];
  const size: [string, string][] = [['I/O nodes', count(data.io_nodes)], ['jobs', count(data.jobs)]];
  if (data.sweep) return [...size, ...best(data)];
  if (!data.comparison) return size;
  const { comparison } = data;
  return [
    ...size, ['requests', amount(comparison.requests)], ...ofRatio('I/O time', comparison.io), ...ofRatio('run time', comparison.run), ['cost', comparison.cost[1] === null ? '–' : priceText(comparison.cost[1], data.currency)],
    ['full writes of a burst buffer a day', comparison.full_writes_per_day === null ? '–' : amount(comparison.full_writes_per_day)],
  ];
}

/** Numbers side by side, in the order of the first; what only one of them has stands behind. */
export function sideBySide(a: SimulationAnswer, b: SimulationAnswer): [string, string, string][] {
  const [left, right] = [keyNumbers(a), new Map(keyNumbers(b))];
  const rows = left.map(([name, value]): [string, string, string] => [name, value, right.get(name) ?? '–']);
  const known = new Set(left.map(([name]) => name));
  return [...rows, ...[...right].filter(([name]) => !known.has(name)).map(([name, value]): [string, string, string] => [name, '–', value])];
}

/** Parameters of the changed machine that differ between the two. */
export function differences(a: WhatIfData, b: WhatIfData): [string, string, string][] {
  const other = new Map(b.parameters.map((one) => [one.name, one.changed]));
  const names = new Set([...a.parameters.map((one) => one.name), ...other.keys()]);
  const mine = new Map(a.parameters.map((one) => [one.name, one.changed]));
  return [...names].filter((name) => mine.get(name) !== other.get(name)).map((name) => [name, mine.get(name) ?? 'as usual', other.get(name) ?? 'as usual']);
}
