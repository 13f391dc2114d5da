// SPDX-License-Identifier: Apache-2.0
/** Made-up slices: a small and a large application that write at the same time, as in the paper's Fig. 5. */
import { makeRandom } from './random.mjs';

/** @typedef {import('../src/lib/slices_data').SlicesData} SlicesData */
/** @typedef {import('../src/lib/slices_data').SlicedApplication} SlicedApplication */

const MiB = 1024 ** 2;
const t0 = 1365500000;
const step = 4;

/** @param {Float32Array} cells */
const packed = (cells) => (cells.every((cell) => cell === 0) ? null : Buffer.from(cells.buffer).toString('base64'));

/**
 * @param {string} label @param {number} processes @param {number} bins @param {[number, number]} run @param {[number, number]} io bins
 * @param {(bin: number) => number} rate MiB/s of the whole application @param {number} seed @returns {SlicedApplication}
 */
function applicationOf(label, processes, bins, run, io, rate, seed) {
  const random = makeRandom(seed);
  const read = new Float32Array(processes * bins);
  const write = new Float32Array(processes * bins);
  const favour = Array.from({ length: processes }, () => random.lognormal(1, 0.03));
  for (let p = 0; p < processes; p++) {
    for (let b = run[0]; b < run[1]; b++) {
      if (b >= io[0] && b < io[1] - (p % 5 === 0 ? 2 : 0)) write[p * bins + b] = Math.round((rate(b) * MiB * step * (favour[p] ?? 1) * random.lognormal(1, 0.06)) / processes);
      if (b - run[0] < 3) read[p * bins + b] = Math.round(0.5 * MiB * random.lognormal(1, 0.2));
    }
  }
  /** @param {Float32Array} cells @param {number} b */
  const sum = (cells, b) => Array.from({ length: processes }, (_, p) => cells[p * bins + b] ?? 0).reduce((a, c) => a + c, 0);
  const line = (/** @type {Float32Array} */ cells) => Array.from({ length: bins }, (_, b) => (b < run[0] || b >= run[1] ? null : sum(cells, b) / step));
  return {
    label, job: String(4000 + seed), processes, active: processes, nodes: Math.ceil(processes / 12), start: t0 + run[0] * step + 1.2, end: t0 + run[1] * step - 0.7,
    phase: [t0 + io[0] * step, t0 + io[1] * step], read_bytes: read.reduce((a, c) => a + c, 0), write_bytes: write.reduce((a, c) => a + c, 0), read: line(read), write: line(write),
    rows: Array.from({ length: processes }, (_, p) => ({ name: `rank ${p} on node${String(seed * 10 + Math.floor(p / 12)).padStart(2, '0')}`, processes: 1, start: t0 + run[0] * step + 1.2, end: t0 + run[1] * step - 0.7 })),
    cells: { read: packed(read), write: packed(write) },
  };
}

/** @returns {SlicesData} */
export function sampleSlices() {
  const bins = 200;
  const [begin, end] = [62, 120]; // of the large one's writing
  return {
    format: 1, title: 'Slices of small and large', generated: 1367366400, version: '0.1.0', slice: step, direction: 'write', t0, step, bins, last_step: step,
    notes: ['1 process of large did not end well: what was under way then is missing'],
    overlap: [t0 + begin * step, t0 + (end - 2) * step],
    applications: [
      applicationOf('small', 12, bins, [4, 190], [10, 184], (b) => (b >= begin && b < end ? 19 : 96), 1),
      applicationOf('large', 60, bins, [55, 128], [begin, end], () => 83.1, 2),
    ],
  };
}

/** @returns {SlicesData} */
export function emptySlices() {
  return { format: 1, title: 'Slices of nothing', generated: 1367366400, version: '0.1.0', slice: 4, direction: 'write', t0, step, bins: 1, last_step: step, notes: [], overlap: null, applications: [] };
}
