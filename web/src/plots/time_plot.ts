// SPDX-License-Identifier: Apache-2.0
/** One panel over time drawn by uPlot: steps, bands between curves, shaded where nothing was measured. */
import uPlot from 'uplot';
import { ticksOf } from '../lib/axis';
import { duration } from '../lib/units';
import type { Panel } from './timeline_panels';

export interface TimeAxis {
  seconds: number[]; // since the job's start, one more than there are steps
  unmeasured: [number, number][]; // steps
  dominating: string;
}

export interface Watching {
  key: string; // panels of one key share the cursor
  range?: [number, number]; // shown at first; else all there is
  cursor(seconds: number | null): void;
  zoom(low: number, high: number): void;
}

/** Read when drawing, so that a redraw follows the theme. */
export const colour = (name: string, alpha = 1): string => {
  const value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  return alpha === 1 ? value : value + Math.round(alpha * 255).toString(16).padStart(2, '0');
};
const letters: Record<string, string> = { r: 'read', w: 'write', m: 'mixed', '.': 'none' };
const stripHeight = 7;

/** Whole minutes and hours. */
export function timeTicks(low: number, high: number, wanted: number): number[] {
  const steps = [1, 5, 10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 14400, 21600, 43200, 86400, 172800, 604800];
  const step = steps.find((one) => (high - low) / one <= wanted) ?? 604800 * Math.ceil((high - low) / 604800 / wanted);
  const ticks: number[] = [];
  for (let k = Math.ceil(low / step); k * step <= high; k++) ticks.push(k * step);
  return ticks;
}

function shadeUnmeasured(u: uPlot, axis: TimeAxis): void {
  u.ctx.save();
  u.ctx.fillStyle = colour('none', 0.3);
  for (const [from, to] of axis.unmeasured) {
    const left = Math.max(u.bbox.left, u.valToPos(axis.seconds[from] ?? 0, 'x', true));
    const right = Math.min(u.bbox.left + u.bbox.width, u.valToPos(axis.seconds[to] ?? 0, 'x', true));
    if (right > left) u.ctx.fillRect(left, u.bbox.top, right - left, u.bbox.height);
  }
  u.ctx.restore();
}

/** A strip along the bottom: which type dominates each step. */
function drawDominating(u: uPlot, axis: TimeAxis): void {
  const height = stripHeight * devicePixelRatio;
  u.ctx.save();
  u.ctx.beginPath();
  u.ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height + height * 2);
  u.ctx.clip();
  for (const run of axis.dominating.matchAll(/r+|w+|m+|\.+/g)) {
    const left = u.valToPos(axis.seconds[run.index] ?? 0, 'x', true);
    const right = u.valToPos(axis.seconds[run.index + run[0].length] ?? 0, 'x', true);
    u.ctx.fillStyle = colour(letters[run[0][0] ?? '.'] ?? 'none');
    u.ctx.fillRect(left, u.bbox.top + u.bbox.height + 2 * devicePixelRatio, right - left, height);
  }
  u.ctx.restore();
}

/** Over the curves: where nothing is moved there is a plain line, not a coloured one. */
function drawZero(u: uPlot): void {
  const y = Math.round(u.valToPos(0, 'y', true));
  u.ctx.fillStyle = colour('soft');
  u.ctx.fillRect(u.bbox.left, y - devicePixelRatio, u.bbox.width, 2 * devicePixelRatio);
}

function yRange(panel: Panel): uPlot.Range.Function {
  return (_u, low, high) => {
    if (panel.full) return [panel.up ? 0 : -1, 1];
    const [bottom, top] = [Math.min(0, low ?? 0), Math.max(0, high ?? 0)];
    const room = (top - bottom) * 0.06 || 1;
    return [bottom < 0 ? bottom - room : 0, top > 0 ? top + room : bottom < 0 ? room : 1];
  };
}

function yTicks(panel: Panel): (u: uPlot, axis: number, low: number, high: number) => number[] {
  return (_u, _axis, low, high) => {
    if (panel.full) return panel.up ? [0, 0.5, 1] : [-1, 0, 1];
    const unit = panel.text(2048).includes('KiB') ? 'bytes' : 'ops';
    const steps = ticksOf([0, Math.max(high, -low)], 'linear', unit, 4).filter((tick) => tick > 0);
    return [...steps.filter((tick) => -tick >= low).map((tick) => -tick), 0, ...steps.filter((tick) => tick <= high)];
  };
}

function seriesOf(panel: Panel): uPlot.Series[] {
  const steps = uPlot.paths.stepped?.({ align: 1 });
  const drawn = panel.curves.map((curve): uPlot.Series => ({
    label: curve.name,
    stroke: () => (curve.faint ? 'transparent' : colour(curve.tint)),
    width: curve.faint ? 0 : 1.25,
    ...(curve.dashed ? { dash: [6, 4] } : {}),
    ...(curve.filled ? { fill: () => colour(curve.tint, panel.full ? 0.55 : 0.28), fillTo: 0 } : {}),
    ...(steps ? { paths: steps } : {}),
    points: { show: false },
  }));
  return [{}, ...drawn];
}

export function timePlotOptions(panel: Panel, axis: TimeAxis, width: number, last: boolean, watching: Watching): uPlot.Options {
  const strip = panel.id === '2.5';
  const text = '12px system-ui, "DejaVu Sans", sans-serif';
  const grid = { stroke: () => colour('line'), width: 1 };
  return {
    width, height: panel.height + (last ? 34 : 0) + (strip ? stripHeight + 4 : 0),
    padding: [8, 22, last ? 0 : strip ? stripHeight + 6 : 4, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: true, y: false }, points: { show: false }, sync: { key: watching.key, scales: ['x', null] } },
    scales: { x: { time: false, ...(watching.range ? { min: watching.range[0], max: watching.range[1], auto: false } : {}) }, y: { range: yRange(panel) } },
    axes: [
      {
        show: true, size: last ? 34 : 0, stroke: () => colour('soft'), font: text, grid, ticks: { show: last, stroke: () => colour('line'), size: 4 },
        splits: (_u, _i, low, high) => timeTicks(low, high, Math.max(3, Math.floor(width / 110))),
        values: (_u, ticks) => ticks.map((tick) => (last ? duration(tick) : '')),
      },
      {
        size: 84, gap: 6, stroke: () => colour('soft'), font: text, grid, ticks: { show: false },
        splits: yTicks(panel), values: (_u, ticks) => ticks.map((tick) => (tick === 0 ? '0' : panel.text(Math.abs(tick)))),
      },
    ],
    series: seriesOf(panel),
    bands: panel.bands.map(([upper, lower, tint]) => ({
      series: [upper + 1, lower + 1], fill: () => colour(tint, panel.full ? 0.55 : 0.25),
    })),
    hooks: {
      drawClear: [(u) => shadeUnmeasured(u, axis)],
      draw: [(u) => (strip ? drawDominating(u, axis) : drawZero(u))],
      setCursor: [(u) => watching.cursor((u.cursor.left ?? -1) < 0 ? null : u.posToVal(u.cursor.left ?? 0, 'x'))],
      setScale: [(u, key) => key === 'x' && watching.zoom(u.scales.x?.min ?? 0, u.scales.x?.max ?? 0)],
    },
  };
}
