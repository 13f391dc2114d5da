// SPDX-License-Identifier: Apache-2.0
/** Processes against time as coloured cells: what is in a cell, and how the map is painted. */
import type { Moved, SlicedApplication, SlicesData } from '../lib/slices_data';
import { duration } from '../lib/units';
import { cellsHeight, drawingOn, gutter, margin, ramp, rgb, unpacked } from './cells';
import { colour, timeTicks } from './time_plot';

const axisHeight = 26;
const stripHeight = 5;

export type TimeBins = Pick<SlicesData, 't0' | 'step' | 'bins' | 'last_step'>;

export interface Cells {
  read: Float32Array;
  write: Float32Array;
}

export function cellsOf(application: SlicedApplication, bins: number): Cells {
  const count = application.rows.length * bins;
  return { read: unpacked(application.cells.read, count), write: unpacked(application.cells.write, count) };
}

export const bytesIn = (cells: Cells, i: number, of: Moved): number => (of === 'write' ? 0 : (cells.read[i] ?? 0)) + (of === 'read' ? 0 : (cells.write[i] ?? 0));

/** Bytes per second of one process, mean of the cell. */
export const rateIn = (application: SlicedApplication, cells: Cells, i: number, time: TimeBins, of: Moved): number =>
  bytesIn(cells, i, of) / (application.rows[Math.floor(i / time.bins)]?.processes ?? 1) / (i % time.bins === time.bins - 1 ? time.last_step : time.step);

export interface MapShown {
  application: SlicedApplication;
  tint: string;
  cells: Cells;
  time: TimeBins;
  of: Moved;
  top: number;
  range: [low: number, high: number]; // seconds since t0
  overlap: [number, number] | null;
  last: boolean; // has the time axis
}

export const mapHeight = (rows: number, last: boolean): number => cellsHeight(rows) + stripHeight + 4 + (last ? axisHeight : 0);

/** One pixel for each cell. Where a row's processes were not there, nothing; where they moved nothing, the panel's colour. */
function pixels(shown: MapShown): HTMLCanvasElement {
  const { application, time } = shown;
  const { bins } = time;
  const small = document.createElement('canvas');
  small.width = bins;
  small.height = Math.max(1, application.rows.length);
  const picture = new ImageData(small.width, small.height);
  const colours = ramp();
  const idle = rgb('panel');
  application.rows.forEach((row, r) => {
    for (let b = 0; b < bins; b++) {
      const from = time.t0 + b * time.step;
      const rate = rateIn(application, shown.cells, r * bins + b, time, shown.of);
      if (rate <= 0 && (row.end <= from || row.start >= from + time.step)) continue;
      const paint = rate > 0 ? (colours[Math.round(Math.min(1, rate / shown.top) * 255)] ?? idle) : idle;
      picture.data.set([...paint, 255], 4 * (r * bins + b));
    }
  });
  small.getContext('2d')?.putImageData(picture, 0, 0);
  return small;
}

/** Names of rows beside the map: at most as many as there is room for. */
function paintRowLabels(ctx: CanvasRenderingContext2D, shown: MapShown, height: number): void {
  const rows = shown.application.rows;
  const wanted = rows.length / Math.max(1, Math.floor(height / 13));
  const every = [1, 2, 5, 10, 20, 50, 100].find((step) => step >= wanted) ?? Math.ceil(wanted);
  ctx.textAlign = 'right';
  ctx.textBaseline = 'middle';
  ctx.fillStyle = colour('soft');
  for (let r = 0; r < rows.length; r += every) {
    const words = (rows[r]?.name ?? '').split(' ');
    const text = /^ranks?$/.test(words[0] ?? '') ? `rank ${words[1]}` : words[0] === 'process' ? `pid ${words[1]}` : `${r + 1}`;
    ctx.fillText(text, gutter - 8, Math.min(height - 6, Math.max(7, ((r + 0.5) / rows.length) * height)));
  }
}

function paintTimeAxis(ctx: CanvasRenderingContext2D, shown: MapShown, width: number, top: number): void {
  const [low, high] = shown.range;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'top';
  for (const tick of timeTicks(low, high, Math.max(3, Math.floor(width / 110)))) {
    const x = gutter + ((tick - low) / (high - low)) * width;
    ctx.fillStyle = colour('line');
    ctx.fillRect(x, top, 1, 5);
    ctx.fillStyle = colour('soft');
    ctx.fillText(duration(tick), x, top + 8);
  }
}

/** A strip below the cells in the application's colour: when its I/O was under way, without start-up and ending. */
function paintPhase(ctx: CanvasRenderingContext2D, shown: MapShown, x: (seconds: number) => number, top: number): void {
  const { phase } = shown.application;
  if (!phase) return;
  ctx.fillStyle = colour(shown.tint);
  ctx.fillRect(x(phase[0] - shown.time.t0), top, x(phase[1] - shown.time.t0) - x(phase[0] - shown.time.t0), stripHeight);
}

export function paintMap(canvas: HTMLCanvasElement, shown: MapShown, width: number): void {
  const rows = shown.application.rows.length;
  const height = cellsHeight(rows);
  const ctx = drawingOn(canvas, width, mapHeight(rows, shown.last));
  if (!ctx) return;
  const inner = width - gutter - margin;
  const [low, high] = shown.range;
  const x = (seconds: number) => gutter + Math.min(1, Math.max(0, (seconds - low) / (high - low))) * inner;
  ctx.imageSmoothingEnabled = false;
  const [from, to] = [low / shown.time.step, high / shown.time.step];
  ctx.drawImage(pixels(shown), from, 0, to - from, Math.max(1, rows), gutter, 0, inner, height);
  ctx.strokeStyle = colour('line');
  ctx.strokeRect(gutter - 0.5, 0.5, inner + 1, height - 1);
  paintPhase(ctx, shown, x, height + 3);
  if (shown.overlap) {
    ctx.fillStyle = colour('mark');
    for (const edge of shown.overlap.map((moment) => moment - shown.time.t0)) if (edge >= low && edge <= high) ctx.fillRect(x(edge) - 0.75, 0, 1.5, height);
  }
  paintRowLabels(ctx, shown, height);
  if (shown.last) paintTimeAxis(ctx, shown, inner, height + stripHeight + 4);
}
