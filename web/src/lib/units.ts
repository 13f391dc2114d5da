// SPDX-License-Identifier: Apache-2.0
/** Numbers as people read them: 12.7 GiB, 97.6 %, 2.5 h. The text of plots, sentences and tables. */
import type { Unit } from './data';

/** Between a number and its unit: no line breaks there. */
const gap = '\u00a0';

const binary = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
const decimal = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

/** Three figures that matter, no zeros behind them. */
function short(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 99.95 || size === 0 ? 0 : size >= 9.995 ? 1 : 2;
  return value.toFixed(digits).replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
}

function stepped(value: number, base: number, names: string[]): string {
  let step = 0;
  let size = Math.abs(value);
  while (size >= base * 0.9995 && step + 1 < names.length) {
    size /= base;
    step++;
  }
  const text = size > 0 && size < 0.01 ? size.toPrecision(1) : short(size);
  return `${value < 0 ? '-' : ''}${text}${names[step] === '' ? '' : gap + names[step]}`;
}

export const bytes = (value: number): string => stepped(value, 1024, binary);
/** 1,257,276 */
export const count = (value: number): string => (Number.isInteger(value) ? value.toLocaleString('en-US') : amount(value));
/** 1,024; 12.6 k; 1.26 M */
export const amount = (value: number): string =>
  Math.abs(value) >= 99.95 && Math.abs(value) < 9999.5 ? Math.round(value).toLocaleString('en-US') : stepped(value, 1000, decimal);

/** 97.6 %; 100 % and 0 % only when it is. */
export function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.05) return value < 0.01 ? `<${gap}0.01${gap}%` : `${value.toFixed(2)}${gap}%`;
  if (value > 99.95 && value < 100) return value > 99.99 ? `>${gap}99.99${gap}%` : `${value.toFixed(2)}${gap}%`;
  return `${value.toFixed(1).replace(/\.0$/, '')}${gap}%`;
}

/** 45 s, 12 min, 2.5 h, 3 d. */
export function duration(seconds: number): string {
  const size = Math.abs(seconds);
  if (size < 1 && size > 0) return `${short(seconds * 1000)}${gap}ms`;
  if (size < 120) return `${short(seconds)}${gap}s`;
  if (size < 7200 && size % 1800 !== 0) return `${short(seconds / 60)}${gap}min`;
  if (size < 172800) return `${short(seconds / 3600)}${gap}h`;
  return `${short(seconds / 86400)}${gap}d`;
}

/** 2013-04-09 12:05 UTC */
export function moment(unix: number): string {
  return `${new Date(unix * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** 2013-04-09 */
export const day = (unix: number): string => new Date(unix * 1000).toISOString().slice(0, 10);

const writers: Record<Unit, (value: number) => string> = {
  bytes,
  'bytes/s': (value) => `${bytes(value)}/s`,
  ops: amount,
  'ops/s': (value) => `${amount(value)}/s`,
  fraction: percent,
  seconds: duration,
  count: amount,
  ratio: (value) => (Math.abs(value) < 9.995 ? value.toFixed(2) : short(value)),
};

export const written = (value: number, unit: Unit): string => writers[unit](value);
/** A missing value is a dash, never a made-up zero. */
export const writtenOr = (value: number | null, unit: Unit): string => (value === null ? '–' : written(value, unit));

/** "Burstiness (> 1 MiB/s)" */
export const titled = (title: string, above: number | null): string => (above === null ? title : `${title} (${threshold(above)})`);

/** A threshold in bytes per second; 0 means any I/O at all. */
export const threshold = (value: number): string => (value === 0 ? 'any I/O' : `>${gap}${bytes(value)}/s`);
