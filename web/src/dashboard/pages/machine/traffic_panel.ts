// SPDX-License-Identifier: Apache-2.0
/** Traffic of all servers as a panel over time, on the reader's clock; below it how much of it was measured. */
import type uPlot from 'uplot';
import type { Traffic } from '../../../lib/api';
import { calendarTicks } from '../../../lib/calendar';
import type { Series } from '../../../lib/data';
import { amount, bytes } from '../../../lib/units';
import { colour, timePlotOptions, type TimeAxis, type Watching } from '../../../plots/time_plot';
import type { Panel } from '../../../plots/timeline_panels';

export type Direction = 'read' | 'write' | 'total' | 'metadata';
const strip = 5; // pixels

/** Bins of which nothing is known, as [first, one behind the last]. */
export function unmeasured(values: Series): [number, number][] {
  const found: [number, number][] = [];
  values.forEach((value, i) => {
    if (value !== null) return;
    const last = found.at(-1);
    if (last && last[1] === i) last[1] = i + 1;
    else found.push([i, i + 1]);
  });
  return found;
}

/** What tells where something was measured. */
const main = (traffic: Traffic): Series => (traffic.of === 'metadata' ? traffic.operations : traffic.read);

/** Both: reading up, writing down. One of them, or metadata: up. */
export function trafficPanel(traffic: Traffic, of: Direction): Panel {
  if (traffic.of === 'metadata') {
    const operations = { name: 'operations', tint: 'app-3' as const, values: traffic.operations, filled: true, faint: false };
    return { id: '', title: 'Metadata operations', height: 190, bands: [], full: false, up: true, curves: [operations], text: (value) => `${amount(value)}/s` };
  }
  const read = { name: 'read', tint: 'read' as const, values: traffic.read, filled: true, faint: false };
  const write = { name: 'written', tint: 'write' as const, values: of === 'total' ? traffic.write.map((value) => (value === null ? null : -value)) : traffic.write, filled: true, faint: false };
  return { id: '', title: 'Traffic', height: 190, bands: [], full: false, up: of !== 'total', curves: of === 'read' ? [read] : of === 'write' ? [write] : [read, write], text: (value) => `${bytes(value)}/s` };
}

export const trafficAxis = (traffic: Traffic): TimeAxis => ({
  seconds: Array.from({ length: main(traffic).length + 1 }, (_, i) => traffic.t0 + i * traffic.step), unmeasured: unmeasured(main(traffic)), dominating: '',
});

/** A strip along the bottom: full where all servers were measured, paler where some were, empty where none was. */
function drawCoverage(u: uPlot, traffic: Traffic): void {
  const top = u.bbox.top + u.bbox.height + 2 * devicePixelRatio;
  const x = (seconds: number) => Math.min(u.bbox.left + u.bbox.width, Math.max(u.bbox.left, u.valToPos(seconds, 'x', true)));
  let begin = 0;
  for (let i = 1; i <= traffic.coverage.length; i++) {
    const share = traffic.coverage[begin] ?? 0;
    if (i < traffic.coverage.length && Math.abs((traffic.coverage[i] ?? 0) - share) < 0.005) continue;
    if (share > 0) {
      u.ctx.fillStyle = colour(share < 0.995 ? 'warn' : 'good', share < 0.995 ? 0.35 + 0.4 * share : 0.75);
      u.ctx.fillRect(x(traffic.t0 + begin * traffic.step), top, x(traffic.t0 + i * traffic.step) - x(traffic.t0 + begin * traffic.step), strip * devicePixelRatio);
    }
    begin = i;
  }
}

export function trafficOptions(traffic: Traffic, of: Direction, width: number, watching: Watching): uPlot.Options {
  const options = timePlotOptions(trafficPanel(traffic, of), trafficAxis(traffic), width, true, watching);
  const [time] = options.axes ?? [];
  if (time) {
    time.splits = (_u, _axis, low, high) => calendarTicks(low, high, Math.floor(width / 90)).map((tick) => tick.at);
    time.values = (u, ticks) => {
      const said = calendarTicks(u.scales.x?.min ?? 0, u.scales.x?.max ?? 0, Math.floor(width / 90));
      return ticks.map((tick) => said.find((one) => one.at === tick)?.text ?? '');
    };
    time.gap = 4 + strip;
    time.size = 34 + strip;
    time.ticks = { show: false };
  }
  options.height += strip;
  options.hooks = { ...options.hooks, draw: [...(options.hooks?.draw ?? []), (u) => drawCoverage(u, traffic)] };
  return options;
}
