// SPDX-License-Identifier: Apache-2.0
/** Measured throughput and the model as points over time, and as rows for downloads. */
import type { CompeteAnswer } from '../../../lib/api';
import type { SlicesData } from '../../../lib/slices_data';
import { seriesTable, type Table } from '../../../lib/tables';

export type Point = [seconds: number, rate: number | null];

const rateOf = (data: SlicesData, application: number, bin: number): number | null => {
  const one = data.applications[application];
  const [read, write] = [one?.read[bin] ?? null, one?.write[bin] ?? null];
  if (data.direction !== 'both') return data.direction === 'read' ? read : write;
  return read === null && write === null ? null : (read ?? 0) + (write ?? 0);
};

/** Steps since the first bin; the last one closes it. */
export function measuredOf(data: SlicesData, application: number): Point[] {
  const points = Array.from({ length: data.bins }, (_, bin): Point => [bin * data.step, rateOf(data, application, bin)]);
  return [...points, [(data.bins - 1) * data.step + data.last_step, points.at(-1)?.[1] ?? null]];
}

/** Corners of the model's steps, from zero to zero. */
export function modelOf(answer: CompeteAnswer, application: string): Point[] {
  const steps = answer.courses.find((one) => one.application === application)?.steps ?? [];
  const since = (time: number) => time - answer.slices.t0;
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last) return [];
  return [[since(first[0]), 0], ...steps.flatMap(([begin, end, rate]): Point[] => [[since(begin), rate], [since(end), rate]]), [since(last[1]), 0]];
}

export const throughputTable = (data: SlicesData): Table =>
  seriesTable(data.t0, data.step, Object.fromEntries(data.applications.flatMap((one) => [[`${one.label} read`, one.read], [`${one.label} written`, one.write]])));

export const modelTable = (answer: CompeteAnswer): Table => ({
  columns: ['application', 'begin', 'end', 'bytes per second'],
  rows: answer.courses.flatMap((course) => course.steps.map(([begin, end, rate]) => [course.application, begin, end, rate])),
});
