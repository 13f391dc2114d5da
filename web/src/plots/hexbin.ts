// SPDX-License-Identifier: Apache-2.0
/** The middle of a hexbin plot: hexagons, the 80 % lines, the diagonal, a level such as the machine's peak, marked jobs. */
import { axisX, axisY, dot, frame, gridX, gridY, line, ruleX, ruleY, text, type Markish, type PlotOptions } from '@observablehq/plot';
import { domainOf, isEmpty, ticksOf } from '../lib/axis';
import type { CountClass } from '../lib/count_classes';
import type { Pair } from '../lib/data';
import { written } from '../lib/units';
import { along, eightyText, hasPlace, type Tone } from './distribution';
import { hexagonMark, reach } from './hexagons';

export interface Level {
  value: number; // of y
  label: string;
}

export interface Hexbin {
  pair: Pair;
  x: [number, number];
  y: [number, number];
  classes: CountClass[];
  tones: [Tone, Tone];
  level: Level | null;
  marked: MarkedJob[];
}

export type MarkedJob = Pair['selected'][number] & { letter: string };

export interface Frame {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  compact: boolean; // a small multiple: fewer ticks, no names of axes
}

/** A, B, C, ...: what stands in the circle of a marked job. */
export const letter = (index: number): string => String.fromCharCode(65 + (index % 26));

export function markedJobs(pair: Pair): MarkedJob[] {
  return pair.selected.map((job, i) => ({ ...job, letter: letter(i) })).filter((job) => hasPlace(job.x, pair.x) && hasPlace(job.y, pair.y));
}

/** The ranges that show all of some pairs; null if there is nothing to draw in any of them. */
export function rangesOf(pairs: Pair[], level: Level | null = null): { x: [number, number]; y: [number, number] } | null {
  const full = pairs.filter((pair) => !isEmpty(pair.x) && !isEmpty(pair.y) && pair.hexagons.length > 0);
  const marks = full.flatMap(markedJobs);
  const levels = level && level.value > 0 ? [level.value] : [];
  const x = domainOf(full.map((pair) => pair.x), [...full.flatMap((pair) => reach(pair, 'x')), ...marks.map((job) => job.x)]);
  const y = domainOf(full.map((pair) => pair.y), [...full.flatMap((pair) => reach(pair, 'y')), ...marks.map((job) => job.y), ...levels]);
  return x && y ? { x, y } : null;
}

const halo = { stroke: 'var(--paper)', strokeWidth: 4 };
const dashed = { stroke: 'var(--ink)', strokeDasharray: '5 3', strokeWidth: 1.2 };

/** The lines that four of five jobs do not pass. The label of x stands over the histogram above, that of a small multiple in its heading. */
function eightyMarks({ pair, x, y, marked }: Hexbin, compact: boolean): Markish[] {
  const marks: Markish[] = [];
  if (hasPlace(pair.x.p80, pair.x)) marks.push(ruleX([pair.x.p80], dashed));
  if (hasPlace(pair.y.p80, pair.y)) {
    marks.push(ruleY([pair.y.p80], dashed));
    const level = along(pair.y.p80, pair.y, y);
    const hides = marked.some((job) => along(job.x, pair.x, x) > 0.7 && Math.abs(along(job.y, pair.y, y) - level) < 0.08); // a marked job
    const place = { frameAnchor: hides ? 'left' : 'right', textAnchor: hides ? 'start' : 'end', dx: hides ? 6 : -6, dy: level > 0.55 ? 10 : -10 } as const;
    if (!compact) marks.push(text([eightyText(pair.y)], { y: [pair.y.p80], ...place, fill: 'var(--ink)', fontSize: 12, fontWeight: 600, ...halo }));
  }
  return marks;
}

function diagonalMarks({ pair, x, y }: Hexbin): Markish[] {
  const [low, high] = [Math.max(x[0], y[0]), Math.min(x[1], y[1])];
  return pair.diagonal && low < high ? [line([[low, low], [high, high]], { stroke: 'var(--soft)', strokeWidth: 1.2, strokeDasharray: '1 3' })] : [];
}

function levelMarks(level: Level | null): Markish[] {
  if (!level) return [];
  return [
    ruleY([level.value], { stroke: 'var(--mark)', strokeWidth: 1.8 }),
    text([level.label], { y: [level.value], frameAnchor: 'left', textAnchor: 'start', dx: 6, dy: 10, fill: 'var(--mark)', fontSize: 12, fontWeight: 600, ...halo }),
  ];
}

function markedMarks(jobs: MarkedJob[]): Markish[] {
  const at = { x: 'x', y: 'y' } as const;
  return [
    dot(jobs, { ...at, r: 9, fill: 'var(--mark)', stroke: 'var(--paper)', strokeWidth: 1.5, title: (job: MarkedJob) => `job ${job.job_id}: ${job.why}` }),
    text(jobs, { ...at, text: 'letter', fill: 'var(--paper)', fontSize: 11, fontWeight: 700, pointerEvents: 'none' }),
  ];
}

/** The names of the axes, in the colours of their histograms. */
function nameMarks({ pair, tones }: Hexbin, frameOf: Frame): Markish[] {
  const style = { fontSize: 13, fontWeight: 600 };
  return [
    text([pair.x.label], { frameAnchor: 'bottom', dy: frameOf.bottom - 8, fill: `var(--${tones[0]})`, ...style }),
    text([pair.y.label], { frameAnchor: 'left', rotate: -90, dx: 10 - frameOf.left, fill: `var(--${tones[1]})`, ...style }),
  ];
}

export function hexbinOptions(hexbin: Hexbin, frameOf: Frame): PlotOptions {
  const { pair, x, y, classes } = hexbin;
  const fontSize = frameOf.compact ? 11 : 12;
  const xTicks = ticksOf(x, pair.x.scale, pair.x.unit, frameOf.compact ? 3 : 6);
  const yTicks = ticksOf(y, pair.y.scale, pair.y.unit, frameOf.compact ? 3 : 7);
  const grid = { stroke: 'var(--line)', strokeOpacity: 1 };
  return {
    width: frameOf.width, height: frameOf.height,
    marginLeft: frameOf.left, marginRight: frameOf.right, marginTop: frameOf.top, marginBottom: frameOf.bottom,
    x: { type: pair.x.scale, domain: x }, y: { type: pair.y.scale, domain: y },
    marks: [
      gridX(xTicks, grid), gridY(yTicks, grid),
      hexagonMark(pair, classes), diagonalMarks(hexbin), levelMarks(hexbin.level),
      eightyMarks(hexbin, frameOf.compact),
      frame({ stroke: 'var(--line)' }),
      axisX(xTicks, { text: (v: number) => written(v, pair.x.unit), label: null, fontSize }),
      axisY(yTicks, { text: (v: number) => written(v, pair.y.unit), label: null, fontSize }),
      frameOf.compact ? [] : nameMarks(hexbin, frameOf),
      markedMarks(hexbin.marked),
    ],
  };
}
