// SPDX-License-Identifier: Apache-2.0
/** The map of calls on a canvas: cells where there are many calls, bars where each can be drawn. */
import type { CallKind, TraceCall, TraceMap } from '../../../lib/api';
import { cellFont, drawingOn, gutter, margin, rgb } from '../../../plots/cells';
import { colour } from '../../../plots/time_plot';
import { momentText, ticksIn, type Window } from './window';

export const kindTints: Record<CallKind, string> = { read: 'read', write: 'write', metadata: 'jobs', sync: 'mixed', lock: 'mark' };
export const kindNames: Record<CallKind, string> = { read: 'read', write: 'write', metadata: 'open, close, stat, ...', sync: 'sync', lock: 'lock, unlock' };
export const axisHeight = 30;

export interface Layout {
  row: number; // pixels of a row
  lane: number; // of a bar in it; 0: cells
  height: number; // of all rows
}

/** Few ranks get high rows; bars need room for what is inside them. */
export function layoutOf(rows: number, lanes: number): Layout {
  if (lanes === 0) {
    const row = Math.max(2, Math.min(22, Math.floor(360 / Math.max(1, rows))));
    return { row, lane: 0, height: row * rows };
  }
  const lane = Math.max(5, Math.min(14, Math.floor(420 / Math.max(1, rows * lanes))));
  return { row: lane * lanes + 4, lane, height: (lane * lanes + 4) * rows };
}

/** One byte for each row, column and kind. */
export const cellsIn = (map: TraceMap): Uint8Array => Uint8Array.from(atob(map.cells), (letter) => letter.charCodeAt(0));

export const xOf = (seconds: number, window: Window, width: number): number => gutter + ((seconds - window.from) / (window.to - window.from)) * (width - gutter - margin);

function paintCells(ctx: CanvasRenderingContext2D, map: TraceMap, cells: Uint8Array, window: Window, layout: Layout, width: number): void {
  const tints = map.kinds.map((kind) => rgb(kindTints[kind]));
  const whole = (x: number) => Math.round(x * devicePixelRatio) / devicePixelRatio; // no seams between columns
  for (let row = 0; row < map.rows.length; row++) {
    for (let column = 0; column < map.columns; column++) {
      const at = (row * map.columns + column) * map.kinds.length;
      let [sum, most, best] = [0, 0, 0];
      for (let k = 0; k < map.kinds.length; k++) {
        const share = cells[at + k] ?? 0;
        sum += share;
        if (share > most) [most, best] = [share, k];
      }
      if (sum === 0) continue;
      const left = Math.max(gutter, whole(xOf(map.t0 + column * map.step, window, width)));
      const right = Math.min(width - margin, Math.max(left + 1 / devicePixelRatio, whole(xOf(map.t0 + (column + 1) * map.step, window, width))));
      if (right <= left) continue;
      const [r, g, b] = tints[best] ?? [0, 0, 0];
      ctx.fillStyle = `rgb(${r} ${g} ${b} / ${(0.22 + 0.78 * Math.min(1, sum / 255)).toFixed(3)})`;
      ctx.fillRect(left, row * layout.row, right - left, layout.row - (layout.row > 8 ? 1 : 0));
    }
  }
}

export interface DrawnCall {
  call: TraceCall;
  row: number; // of the picture
  lane: number;
}

/** Where each call goes: a call inside another under it; calls of other threads at the same time beside. */
export function lanesOf(calls: TraceCall[], map: TraceMap): { drawn: DrawnCall[]; lanes: number } {
  const rows = new Map(map.rows.map((row, i) => [row.first, i]));
  const laneOf = new Map<number, number>();
  const busy = new Map<string, number>(); // until when a lane of a row is taken
  let lanes = 1;
  const drawn = calls.flatMap((call) => {
    const row = rows.get(call.rank);
    if (row === undefined) return [];
    let lane = call.parent === null ? 0 : (laneOf.get(call.parent) ?? -1) + 1;
    while (lane < 7 && (busy.get(`${row} ${lane}`) ?? -Infinity) > call.start) lane++;
    laneOf.set(call.row, lane);
    busy.set(`${row} ${lane}`, call.end);
    lanes = Math.max(lanes, lane + 1);
    return [{ call, row, lane }];
  });
  return { drawn, lanes };
}

function paintBars(ctx: CanvasRenderingContext2D, drawn: DrawnCall[], window: Window, layout: Layout, width: number, chosen: number | null): void {
  for (const { call, row, lane } of drawn) {
    const left = Math.max(gutter, xOf(call.start, window, width));
    const right = Math.min(width - margin, xOf(call.end, window, width));
    const [x, y, w, h] = [left, row * layout.row + lane * layout.lane + 1, Math.max(1, right - left), layout.lane - 1];
    const tint = kindTints[call.kind];
    ctx.fillStyle = colour(tint, call.interface === 'posix' ? 1 : 0.35);
    ctx.fillRect(x, y, w, h);
    if (call.interface !== 'posix' && w > 3) {
      ctx.strokeStyle = colour(tint);
      ctx.lineWidth = 1;
      ctx.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
    }
    if (h >= 11 && w > 60) {
      ctx.save();
      ctx.beginPath();
      ctx.rect(x, y, w, h);
      ctx.clip();
      ctx.fillStyle = colour(call.interface === 'posix' ? 'paper' : 'ink');
      ctx.font = '10px system-ui, "DejaVu Sans", sans-serif';
      ctx.textAlign = 'left';
      ctx.fillText(call.call, x + 4, y + h / 2 + 0.5);
      ctx.restore();
    }
    if (call.row === chosen) {
      ctx.strokeStyle = colour('ink');
      ctx.lineWidth = 2;
      ctx.strokeRect(x - 1, y - 1, w + 2, h + 2);
    }
  }
}

function paintFrame(ctx: CanvasRenderingContext2D, map: TraceMap, window: Window, layout: Layout, width: number): void {
  ctx.font = cellFont;
  ctx.fillStyle = colour('soft');
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'right';
  const every = Math.max(1, Math.ceil(20 / layout.row));
  map.rows.forEach((row, i) => {
    if (i % every !== 0) return;
    ctx.fillText(row.ranks === 1 || map.rows.length > 40 ? row.name.replace(/ to .*/, '').replace(/^ranks/, 'rank').replace(/^processes/, 'process') : row.name.replace(/^(ranks|processes) /, ''), gutter - 8, Math.max(7, i * layout.row + layout.row / 2));
  });
  const ticks = ticksIn(window, Math.max(3, Math.floor((width - gutter - margin) / 130)));
  const step = (ticks[1] ?? 1) - (ticks[0] ?? 0) || window.to - window.from;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'top';
  for (const tick of ticks) {
    const x = xOf(tick, window, width);
    ctx.fillStyle = colour('line');
    ctx.fillRect(x - 0.5, layout.height, 1, 6);
    ctx.fillStyle = colour('soft');
    ctx.fillText(momentText(tick, step), Math.min(width - 24, x), layout.height + 9);
  }
  ctx.strokeStyle = colour('line');
  ctx.lineWidth = 1;
  ctx.strokeRect(gutter + 0.5, 0.5, width - gutter - margin - 1, layout.height - 1);
}

export interface Painted {
  map: TraceMap;
  cells: Uint8Array;
  bars: DrawnCall[] | null;
  window: Window;
  layout: Layout;
  chosen: number | null;
}

export function paintTrace(canvas: HTMLCanvasElement, of: Painted, width: number): void {
  const ctx = drawingOn(canvas, width, of.layout.height + axisHeight);
  if (!ctx) return;
  ctx.fillStyle = colour('panel');
  ctx.fillRect(gutter, 0, width - gutter - margin, of.layout.height);
  if (of.bars && of.layout.row > 4) {
    ctx.fillStyle = colour('line');
    for (let row = 1; row < of.map.rows.length; row++) ctx.fillRect(gutter, row * of.layout.row - 1.5, width - gutter - margin, 1);
  }
  ctx.textBaseline = 'middle';
  if (of.bars) paintBars(ctx, of.bars, of.window, of.layout, width, of.chosen);
  else paintCells(ctx, of.map, of.cells, of.window, of.layout, width);
  paintFrame(ctx, of.map, of.window, of.layout, width);
}
