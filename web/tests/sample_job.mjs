// SPDX-License-Identifier: Apache-2.0
/** Made-up jobs in detail: a checkpointing one, one that reads and then computes, a short one, one that does nothing. */
import { makeRandom } from './random.mjs';

/** @typedef {import('../src/lib/data').JobReport} JobReport */
/** @typedef {import('../src/lib/data').MapRow} MapRow */
/** @typedef {import('../src/lib/data').Series} Series */
/** @typedef {'checkpoint' | 'reader' | 'short' | 'silent'} Kind */

const MiB = 1024 ** 2;

/** Bytes per second of one unit at a time: [read, write]. @param {Kind} kind @param {number} t @param {number} length @param {number} luck */
function rates(kind, t, length, luck) {
  if (kind === 'silent') return [0, 0];
  if (kind === 'checkpoint') {
    const inBurst = t % 5400 > 4300 && t % 5400 < 5000;
    return [t < 1500 ? 90 * MiB * luck : 0.02 * MiB, inBurst ? 210 * MiB * luck : 0.3 * MiB * luck];
  }
  if (kind === 'reader') return [t < length * 0.3 || (t > length * 0.6 && t < length * 0.8) ? 340 * MiB * luck : 2 * MiB * luck, t > length * 0.93 ? 160 * MiB * luck : 0];
  return [30 * MiB * luck, 8 * MiB * luck * (1 + Math.sin(t / 300))];
}

/** @param {Kind} kind @param {number} length @param {number} start @returns {JobReport['timeline']} */
function timelineOf(kind, length, start) {
  const random = makeRandom(length + kind.length);
  const step = Math.max(60, Math.round(length / 720 / 60) * 60);
  const steps = Math.ceil(length / step);
  const units = 16;
  const favour = Array.from({ length: units }, () => 0.6 + 0.8 * random.uniform());
  /** @type {Record<string, Series>} */
  const columns = {};
  for (const name of ['rb', 'wb', 'ro', 'wo', 'share', 'ar', 'aw', 'rmin', 'rmean', 'rmax', 'wmin', 'wmean', 'wmax']) columns[name] = [];
  /** @param {Record<string, number | null>} row */
  const add = (row) => Object.entries(columns).forEach(([name, series]) => series.push(row[name] ?? null));
  let dominating = '';
  for (let i = 0; i < steps; i++) {
    if (kind === 'checkpoint' && i > steps * 0.52 && i < steps * 0.55) {
      add({});
      dominating += '?';
      continue;
    }
    const each = favour.map((f) => rates(kind, i * step, length, f * (0.8 + 0.4 * random.uniform())).map((rate) => (rate ?? 0) * step));
    /** @param {0 | 1} way */
    const of = (way) => each.map((pair) => pair[way] ?? 0);
    const sum = (/** @type {number[]} */ list) => list.reduce((a, b) => a + b, 0);
    const [r, w] = [sum(of(0)), sum(of(1))];
    const active = (/** @type {0 | 1} */ way) => of(way).filter((v) => v / step > MiB).length / units;
    const share = r + w > 0 ? r / (r + w) : null;
    add({
      rb: r, wb: w, ro: Math.round(r / 524288), wo: Math.round(w / 1048576), share, ar: active(0), aw: active(1),
      rmin: Math.min(...of(0)), rmean: r / units, rmax: Math.max(...of(0)), wmin: Math.min(...of(1)), wmean: w / units, wmax: Math.max(...of(1)),
    });
    dominating += share === null ? '.' : share > 0.9 ? 'r' : share < 0.1 ? 'w' : 'm';
  }
  const get = (/** @type {string} */ name) => columns[name] ?? [];
  return {
    t0: start, step, read_bytes: get('rb'), write_bytes: get('wb'), read_ops: get('ro'), write_ops: get('wo'), metadata_ops: get('wo'), read_share_bytes: get('share'), dominating,
    active_read: get('ar'), active_write: get('aw'),
    unit_read: { min: get('rmin'), mean: get('rmean'), max: get('rmax') }, unit_write: { min: get('wmin'), mean: get('wmean'), max: get('wmax') },
  };
}

/** @type {MapRow[]} */
const map = [
  { id: '1.1', criterion: 'Total data', detail: '', read: '2.0 TiB', write: '31.4 TiB', total: '33.4 TiB', note: 'between 32.9 and 34.1 TiB', kind: 'measured' },
  { id: '1.2', criterion: 'Total operations', detail: '', read: '4,194,304', write: '32,925,286', total: '37,119,590', note: null, kind: 'measured' },
  { id: '1.3', criterion: 'Bandwidth', detail: 'maximum', read: '1.6 GiB/s', write: '3.9 GiB/s', total: '4.0 GiB/s', note: null, kind: 'measured' },
  { id: '1.3', criterion: 'Bandwidth', detail: 'mean', read: '24.1 MiB/s', write: '380.9 MiB/s', total: '405.0 MiB/s', note: null, kind: 'measured' },
  { id: '1.6', criterion: 'I/O intensity', detail: 'above 1 MiB/s', read: '1.7 %', write: '12.9 %', total: '14.6 %', note: 'a lower bound: 97.0 % were measured', kind: 'measured' },
  { id: '2.1', criterion: 'Request sizes', detail: 'median', read: '512 KiB', write: '1 MiB', total: null, note: 'averages over 120 s', kind: 'measured' },
  { id: '2.6', criterion: 'Task-local or shared files', detail: '', read: null, write: null, total: null, note: 'counters do not name files: needs a trace', kind: 'unavailable' },
  { id: '2.7', criterion: 'Spatial pattern', detail: '', read: null, write: null, total: null, note: 'counters have no offsets: needs a trace', kind: 'unavailable' },
  { id: '2.9', criterion: 'Burstiness', detail: 'above 1 MiB/s', read: '0.982', write: '0.855', total: '0.838', note: null, kind: 'measured' },
  { id: '3.1', criterion: 'Parallel I/O intensity', detail: '16 servers', read: '0.993', write: '0.987', total: '0.988', note: null, kind: 'measured' },
  { id: '4.2', criterion: 'Libraries and interfaces', detail: '', read: null, write: null, total: 'HDF5 1.8, MPI-IO', note: null, kind: 'declared' },
];

/** @param {string} id @param {number} hours @param {Kind} kind @returns {JobReport} */
export function sampleJob(id, hours, kind) {
  const random = makeRandom(Number(id));
  const start = 1365500000 - (1365500000 % 60);
  const length = Math.round(hours * 3600);
  const silent = kind === 'silent';
  const amount = (/** @type {number} */ v) => (silent ? 0 : Math.round(random.lognormal(v, 0.1)));
  return {
    job_id: id, user: 'u1042', name: { checkpoint: 'turbulence', reader: 'lattice', short: 'postproc', silent: 'sleep' }[kind],
    nodes: 512, units: 16, start, end: start + length, coverage: kind === 'checkpoint' ? 0.97 : 1,
    flags: kind === 'checkpoint' ? ['gap', 'low_coverage'] : kind === 'short' ? ['wide_band', 'boundary'] : [],
    link: 'weighted', threshold: MiB,
    why: { checkpoint: 'most bytes written', reader: 'most bytes read', short: null, silent: null }[kind],
    map: silent ? map.filter((row) => row.kind !== 'measured') : map,
    timeline: timelineOf(kind, length, start),
    request_sizes: silent ? { read: [], write: [] } : {
      read: [12, 13, 16, 19, 20].map((k) => ({ from: 2 ** k, to: 2 ** (k + 1), ops: amount(40000 / (22 - k)) })),
      write: [9, 15, 19, 20, 21].map((k) => ({ from: 2 ** k, to: 2 ** (k + 1), ops: amount(3000 * k) })),
    },
    repetition: [
      { type: 'read', repeats: false, period: null, evidence: 'one phase only' },
      { type: 'write', repeats: kind === 'checkpoint', period: kind === 'checkpoint' ? 5400 : null, evidence: kind === 'checkpoint' ? '15 of 15 bursts within 120 s of the period, p < 0.001' : 'constant' },
      { type: 'mixed', repeats: false, period: null, evidence: 'fewer than three runs' },
    ],
    units_table: Array.from({ length: 16 }, (_, i) => ({
      unit: `ion${String(i + 32).padStart(3, '0')}`, read_bytes: amount(1.3e11), write_bytes: amount(2.1e12), read_ops: amount(262144), write_ops: amount(2057830), opens: amount(512), closes: i === 3 ? null : amount(512), metadata_ops: amount(4096),
    })),
  };
}
