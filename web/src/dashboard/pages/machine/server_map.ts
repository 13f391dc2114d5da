// SPDX-License-Identifier: Apache-2.0
/** Servers against time as coloured cells. */
import type { Heat } from '../../../lib/api';
import { calendarTicks } from '../../../lib/calendar';
import { cellsHeight, drawingOn, gutter, margin, ramp, rgb } from '../../../plots/cells';
import { colour } from '../../../plots/time_plot';
import type { Span } from './span';

const axisHeight = 26;

/** One pixel for each cell. Nothing where nothing was measured; the panel's colour where nothing was moved. */
function pixels(heat: Heat, cells: Float32Array, top: number): HTMLCanvasElement {
  const small = document.createElement('canvas');
  small.width = Math.max(1, heat.bins);
  small.height = Math.max(1, heat.rows.length);
  const picture = new ImageData(small.width, small.height);
  const colours = ramp();
  const idle = rgb('panel');
  cells.forEach((rate, i) => {
    if (!Number.isNaN(rate)) picture.data.set([...(rate > 0 ? (colours[Math.round(Math.min(1, rate / top) * 255)] ?? idle) : idle), 255], 4 * i);
  });
  small.getContext('2d')?.putImageData(picture, 0, 0);
  return small;
}

/** "ion004 to ion007" is "ion004" beside the map. */
function paintNames(ctx: CanvasRenderingContext2D, heat: Heat, height: number): void {
  const wanted = heat.rows.length / Math.max(1, Math.floor(height / 14));
  const every = [1, 2, 5, 10, 20, 50, 100].find((step) => step >= wanted) ?? Math.ceil(wanted);
  ctx.textAlign = 'right';
  ctx.textBaseline = 'middle';
  ctx.fillStyle = colour('soft');
  for (let r = 0; r < heat.rows.length; r += every) {
    const name = (heat.rows[r]?.name ?? '').split(' ')[0] ?? '';
    ctx.fillText(name.length > 11 ? `…${name.slice(-10)}` : name, gutter - 8, Math.min(height - 6, Math.max(7, ((r + 0.5) / heat.rows.length) * height)));
  }
}

export function paintServers(canvas: HTMLCanvasElement, heat: Heat, cells: Float32Array, top: number, span: Span, width: number): void {
  const height = cellsHeight(heat.rows.length);
  const ctx = drawingOn(canvas, width, height + axisHeight);
  if (!ctx) return;
  const inner = width - gutter - margin;
  const x = (seconds: number) => gutter + ((seconds - span.from) / (span.to - span.from)) * inner;
  ctx.fillStyle = colour('none', 0.3); // not measured
  ctx.fillRect(gutter, 0, inner, height);
  ctx.save();
  ctx.beginPath();
  ctx.rect(gutter, 0, inner, height);
  ctx.clip();
  ctx.imageSmoothingEnabled = false;
  const [left, right] = [x(heat.t0), x(heat.t0 + heat.bins * heat.step)];
  ctx.drawImage(pixels(heat, cells, top), left, 0, right - left, height);
  ctx.restore();
  ctx.strokeStyle = colour('line');
  ctx.strokeRect(gutter - 0.5, 0.5, inner + 1, height - 1);
  paintNames(ctx, heat, height);
  ctx.textAlign = 'center';
  ctx.textBaseline = 'top';
  for (const tick of calendarTicks(span.from, span.to, Math.floor(width / 90))) {
    ctx.fillStyle = colour('line');
    ctx.fillRect(x(tick.at), height, 1, 5);
    ctx.fillStyle = colour('soft');
    ctx.fillText(tick.text, x(tick.at), height + 8);
  }
}
