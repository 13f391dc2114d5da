// SPDX-License-Identifier: Apache-2.0
/** What maps of cells against time share: where the cells are, their colours, their numbers. */
import { colour } from './time_plot';

/** Left and right of the cells, as in the panels over time. */
export const gutter = 84;
export const margin = 22;
export const cellFont = '12px system-ui, "DejaVu Sans", sans-serif';

/** Little-endian floats of 32 bits in base64. */
export function unpacked(text: string | null, count: number): Float32Array {
  if (text === null) return new Float32Array(count);
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
}

/** The rate with the last colour: 99 % of the cells with traffic are below, so that a few fast ones do not make all others look alike. */
export function topRate(rates: number[]): { top: number; clipped: boolean } {
  const found = rates.filter((rate) => rate > 0).sort((a, b) => a - b);
  const most = found.at(-1) ?? 0;
  const nearly = found[Math.ceil(found.length * 0.99) - 1] ?? 0;
  return most > 1.5 * nearly ? { top: nearly, clipped: true } : { top: most, clipped: false };
}

export type Rgb = [number, number, number];
export const rgb = (name: string): Rgb => {
  const value = parseInt(colour(name).slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};

/** 256 steps along --ramp-0 ... --ramp-6. */
export function ramp(): Rgb[] {
  const stops = Array.from({ length: 7 }, (_, i) => rgb(`ramp-${i}`));
  return Array.from({ length: 256 }, (_, i) => {
    const place = (i / 255) * (stops.length - 1);
    const a: Rgb = stops[Math.floor(place)] ?? [0, 0, 0];
    const b: Rgb = stops[Math.min(stops.length - 1, Math.floor(place) + 1)] ?? a;
    const mix = (k: 0 | 1 | 2) => Math.round(a[k] + (b[k] - a[k]) * (place - Math.floor(place)));
    return [mix(0), mix(1), mix(2)];
  });
}

export const cellsHeight = (rows: number): number => Math.round(Math.min(300, Math.max(48, rows * (rows <= 16 ? 14 : 5))));

/** Sets up the pixels of a canvas; null where there is no drawing. */
export function drawingOn(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  const ratio = devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const ctx = canvas.getContext('2d');
  ctx?.scale(ratio, ratio);
  if (ctx) ctx.font = cellFont;
  return ctx;
}
