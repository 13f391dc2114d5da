// SPDX-License-Identifier: Apache-2.0
/** Made-up simulations: 600 I/O nodes with slow links and burst buffers, a sweep with prices, a verification. */
import { makeRandom } from './random.mjs';

/** @typedef {import('../src/lib/what_if_data').WhatIfData} WhatIfData */
/** @typedef {import('../src/lib/what_if_data').SweepPoint} SweepPoint */

/** @returns {WhatIfData} */
function page(/** @type {string} */ title) {
  return {
    format: 1, title, generated: 1367366400, version: '0.1.0', notes: [], io_nodes: 600, jobs: 4300, currency: 'EUR',
    parameters: [
      { name: 'page_pool.size', original: '1 GiB', changed: '1 GiB', differs: false }, { name: 'burst_buffer.size', original: '0', changed: '64 GiB', differs: true },
      { name: 'external_link.bandwidth', original: '10 Gbit/s', changed: '1 Gbit/s', differs: true },
    ],
    comparison: null, sweep: null, verification: null,
  };
}

/** An axis of ratios as the program bins it. @param {string} label @param {number[]} values */
function axisOf(label, values) {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[0] ?? 0, sorted.at(-1) ?? 1];
  const bins = 60;
  const histogram = Array.from({ length: sorted.length === 0 ? 0 : bins }, (_, i) => ({ from: low + ((high - low) * i) / bins, to: low + ((high - low) * (i + 1)) / bins, count: 0 }));
  for (const v of sorted) {
    const bin = histogram[Math.min(bins - 1, Math.floor(((v - low) / (high - low || 1)) * bins))];
    if (bin) bin.count++;
  }
  const at = (/** @type {number} */ share) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
  /** @type {[number, number][]} */
  const cdf = Array.from({ length: sorted.length === 0 ? 0 : 51 }, (_, i) => [at(i / 50) ?? 0, i / 50]);
  return {
    label, unit: /** @type {const} */ ('ratio'), scale: /** @type {const} */ ('linear'), n: sorted.length, zeros: 0, min: sorted[0] ?? null, max: sorted.at(-1) ?? null,
    mean: sorted.length === 0 ? null : sorted.reduce((a, b) => a + b, 0) / sorted.length, median: at(0.5), p80: at(0.8), top20_share: null, histogram, cdf,
  };
}

/** @returns {WhatIfData} */
export function sampleComparison() {
  const random = makeRandom(5);
  const data = page('What if: slow-links.toml');
  data.notes = ['3 jobs were still running: their I/O is simulated as nobody’s'];
  const ratios = Array.from({ length: 4300 }, () => Math.min(10, random.lognormal(7, 0.2)));
  const runs = ratios.map((ratio) => 1 + (ratio - 1) * Math.min(0.8, random.lognormal(0.006, 0.5)));
  data.comparison = {
    finished: 4300, requests: 306_800_000, read_bytes: 3.1e14, write_bytes: 2.2e14,
    nodes: Array.from({ length: 600 }, (_, i) => {
      const original = random.lognormal(900, 0.3);
      return { name: String(i), nodes: 1, original, changed: original * (i % 17 === 0 ? 0.6 : random.lognormal(6, 0.1)) };
    }),
    io: { axis: axisOf('I/O time, new / original', ratios), standard_deviation: 2.7, share_above: 0.97 },
    run: { axis: axisOf('run time, new / original', runs), standard_deviation: 0.2, share_above: 0.2 },
    slowest: Array.from({ length: 15 }, (_, i) => ({ job_id: String(1782577 + i), nodes: 1 << i % 6, io_time: [40 + i, 380 - i], run_time: [400, 2400 - 100 * i] })),
    cost: [60000, 44400], full_writes_per_day: 11.2, most_full_writes_per_day: 71.3, years: 0.07,
  };
  return data;
}

/** @returns {WhatIfData} */
export function sampleSweep() {
  const data = page('Sweep of slow-links.toml');
  const gbits = [1, 2, 4, 10];
  const sizes = [0, 16, 64, 256];
  /** @type {SweepPoint[]} */
  const points = gbits.flatMap((gbit) => sizes.map((size) => {
    const io = Math.max(0.9, 10 / gbit - Math.log2(1 + size) / 8);
    const run = 1 + (io - 1) * 0.01;
    const ratio = (/** @type {number} */ average) => ({ jobs: 4300, average, standard_deviation: 0.2, maximum: average * 1.4, median: average * 0.98, share_above: average > 1.1 ? 0.9 : 0.1 });
    return {
      values: [`${gbit}Gbit/s`, `${size}GiB`], io: ratio(io), run: ratio(run), cost: 600 * (gbit * 10 + size), io_front: false, run_front: false, bytes_per_day: size === 0 ? 0 : 2.2e14,
      full_writes_per_day: size === 0 ? null : 341 / size, most_full_writes_per_day: size === 0 ? null : 2000 / size, years: size === 0 ? null : size / 300,
    };
  }));
  for (const by of /** @type {const} */ (['io', 'run'])) {
    const beats = (/** @type {SweepPoint} */ b, /** @type {SweepPoint} */ a) => {
      const [cost, time] = [(b.cost ?? 0) - (a.cost ?? 0), (b[by]?.average ?? 0) - (a[by]?.average ?? 0)];
      return cost <= 0 && time <= 0 && cost + time < 0;
    };
    for (const point of points) point[`${by}_front`] = !points.some((other) => beats(other, point));
  }
  data.sweep = { combinations: points.length, original_cost: 60000, axes: ['external_bandwidth', 'burst_buffer'], points };
  return data;
}

/** @returns {WhatIfData} */
export function sampleVerification() {
  const random = makeRandom(9);
  const data = page('Simulated and real counters');
  data.parameters = data.parameters.map((one) => ({ ...one, changed: one.original, differs: false }));
  const nodes = Array.from({ length: 3 }, (_, n) => {
    const line = () => Array.from({ length: 360 }, (_, i) => (i % 30 < 6 ? random.lognormal(2e8, 0.2) : 0));
    const [read, write] = [line(), line()];
    const late = (/** @type {number[]} */ values) => values.map((v, i) => (n === 0 ? v * 0.8 + (values[i - 1] ?? 0) * 0.2 : v));
    return { name: `R0${n}-M0-N00`, error: n === 0 ? 0.13 : 0, real_read: read, real_write: write, simulated_read: late(read), simulated_write: late(write) };
  });
  data.verification = {
    errors: [
      { counter: 'read_bytes', increments: 425227, with_error: 15856, unexpected: 12, average_error: 0.00023 }, { counter: 'read_ops', increments: 425227, with_error: 713, unexpected: 0, average_error: 0.0045 },
      { counter: 'write_bytes', increments: 425227, with_error: 241147, unexpected: 0, average_error: 0.002 }, { counter: 'write_ops', increments: 425227, with_error: 5108, unexpected: 0, average_error: null },
    ],
    step: 240, nodes,
  };
  return data;
}

/** All three without anything in them. @returns {Record<string, WhatIfData>} */
export function emptyPages() {
  const none = { axis: axisOf('I/O time, new / original', []), standard_deviation: null, share_above: null };
  return {
    what_if_no_jobs: {
      ...page('What if: nothing.toml'), io_nodes: 1, jobs: 0, currency: '',
      comparison: { finished: 0, requests: 0, read_bytes: 0, write_bytes: 0, nodes: [{ name: '0', nodes: 1, original: 0, changed: 0 }], io: none, run: none, slowest: [], cost: [null, null], full_writes_per_day: null, most_full_writes_per_day: null, years: null },
    },
    what_if_no_prices: { ...page('Sweep without prices'), sweep: { combinations: 4, original_cost: null, axes: ['page_pool'], points: [{ values: ['1GiB'], io: null, run: null, cost: null, io_front: false, run_front: false, bytes_per_day: 0, full_writes_per_day: null, most_full_writes_per_day: null, years: null }] } },
    what_if_no_counters: { ...page('Simulated and real counters'), verification: { errors: [], step: 1, nodes: [] } },
  };
}
