// SPDX-License-Identifier: Apache-2.0
/** Ticks of an axis of moments, at round times of the reader's clock. */

export interface Tick {
  at: number; // Unix time
  text: string;
}

const hour = 3600;
const steps = [1, 5, 10, 30, 60, 300, 600, 900, 1800, hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour];
const days = [1, 2, 3, 7, 14];
const months = [1, 2, 3, 6, 12];
const two = (value: number): string => String(value).padStart(2, '0');
const names = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const dayText = (at: Date): string => `${two(at.getDate())} ${names[at.getMonth()]}`;

/** Within a day: 12:05, and the day where a new one begins. */
function clockTicks(low: number, high: number, step: number): Tick[] {
  const shift = new Date(low * 1000).getTimezoneOffset() * 60;
  const ticks: Tick[] = [];
  for (let k = Math.ceil((low - shift) / step); k * step + shift <= high; k++) {
    const at = new Date((k * step + shift) * 1000);
    const midnight = at.getHours() === 0 && at.getMinutes() === 0 && at.getSeconds() === 0;
    ticks.push({ at: k * step + shift, text: midnight ? dayText(at) : `${two(at.getHours())}:${two(at.getMinutes())}${step < 60 ? `:${two(at.getSeconds())}` : ''}` });
  }
  return ticks;
}

function dateTicks(low: number, high: number, next: (at: Date) => void, first: Date, text: (at: Date) => string): Tick[] {
  const ticks: Tick[] = [];
  for (const at = first; at.getTime() / 1000 <= high && ticks.length < 1000; next(at)) if (at.getTime() / 1000 >= low) ticks.push({ at: at.getTime() / 1000, text: text(at) });
  return ticks;
}

export function calendarTicks(low: number, high: number, wanted: number): Tick[] {
  const rough = (high - low) / Math.max(1, wanted);
  const step = steps.find((one) => one >= rough);
  if (step !== undefined) return clockTicks(low, high, step);
  const begin = new Date(low * 1000);
  const some = days.find((one) => one * 86400 >= rough);
  if (some !== undefined) {
    const first = new Date(begin.getFullYear(), begin.getMonth(), begin.getDate());
    return dateTicks(low, high, (at) => at.setDate(at.getDate() + some), first, dayText);
  }
  const every = months.find((one) => one * 30 * 86400 >= rough) ?? 12 * Math.ceil(rough / (365 * 86400));
  return dateTicks(low, high, (at) => at.setMonth(at.getMonth() + every), new Date(begin.getFullYear(), 0, 1), (at) => (at.getMonth() === 0 ? String(at.getFullYear()) : `${names[at.getMonth()]}`));
}
