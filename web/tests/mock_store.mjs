// SPDX-License-Identifier: Apache-2.0
/** A made-up store as the server of `fathom serve` would answer for it: thirty days, 152 servers, 2,013 jobs with heavy tails. */
import { axisOf, hexagonsOf } from './binning.mjs';
import { makeRandom } from './random.mjs';
import { intensity, makeJobs } from './sample.mjs';
import { sampleJob } from './sample_job.mjs';

/** @typedef {import('../src/lib/api').JobRow} JobRow */
/** @typedef {import('../src/lib/api').ValueInfo} ValueInfo */
/** @typedef {import('../src/lib/data').Unit} Unit */
/** @typedef {ReturnType<typeof makeJobs>[number] & { row: JobRow }} MadeJob */

const KiB = 1024;
const GiB = 1024 ** 3;
export const start = 1364774400;
export const end = 1367366400;
const thresholds = [0, 1 * KiB, 8 * KiB, 128 * KiB, 512 * KiB, 1024 * KiB];
const small = [4, 8, 64, 128, 512, 1024, 4096].map((kib) => kib * KiB);
const names = ['turbulence', 'lattice', 'climate.x', 'postproc', 'genome', 'wrf.exe', 'vasp', 'sedov'];
const gap = [start + 16.2 * 86400, start + 16.9 * 86400]; // nothing was measured
const servers = 152;

/** @type {MadeJob[]} */
export const jobs = (() => {
  const random = makeRandom(23);
  return makeJobs(2013).map((job, i) => {
    const from = Math.round(start + random.uniform() * (end - start - 7200));
    const to = Math.round(from + job.duration);
    const row = {
      job_id: job.id, user: `u${1000 + Math.floor(random.uniform() ** 2 * 60)}`, name: random.pick(names), nodes: job.nodes, start: from, end: to > end ? null : to,
      read_bytes: i % 97 === 5 ? null : Math.round(job.bytes[0] ?? 0), write_bytes: i % 97 === 5 ? null : Math.round(job.bytes[1] ?? 0), coverage: i % 97 === 5 ? null : i % 31 === 3 ? 0.93 : 1, x: null, y: null,
    };
    return { ...job, row };
  });
})();

/** Bytes per second of all servers at a moment. @param {number} t @param {0 | 1} way */
function rate(t, way) {
  const day = 0.6 + 0.4 * Math.sin(((t - start) / 86400) * 2 * Math.PI - 1.9);
  const bursts = Math.max(0, Math.sin(t / (way ? 5400 : 23000)) - 0.72) * (way ? 42 : 30) + Math.max(0, Math.sin(t / (way ? 141000 : 97000)) - 0.5) * 22;
  return (day * (way ? 3.5 : 1.6) + bursts) * GiB * (0.85 + 0.3 * Math.abs(Math.sin(t * 12.9898)));
}
const measured = (/** @type {number} */ t) => t >= start && t < end && !(t >= (gap[0] ?? 0) && t < (gap[1] ?? 0));

/** @param {URLSearchParams} query */
function rangeOf(query) {
  const from = Number(query.get('from') ?? start);
  const to = Number(query.get('to') ?? end);
  const bins = Math.max(1, Math.min(Number(query.get('bins') ?? 600), Math.ceil((to - from) / 120)));
  return { from, to, bins, step: (to - from) / bins };
}

/** @param {URLSearchParams} query @returns {import('../src/lib/api').Traffic} */
export function traffic(query) {
  const { from, bins, step } = rangeOf(query);
  const share = query.get('filesystem') === 'home' ? 0.15 : query.get('filesystem') ? 0.85 : 1;
  const at = (/** @type {number} */ i) => from + (i + 0.5) * step;
  const series = (/** @type {0 | 1} */ way) => Array.from({ length: bins }, (_, i) => (measured(at(i)) ? rate(at(i), way) * share : null));
  const coverage = Array.from({ length: bins }, (_, i) => (!measured(at(i)) ? 0 : at(i) > start + 21 * 86400 && at(i) < start + 22.5 * 86400 ? 0.8 : 1));
  if (query.get('of') === 'metadata') return { t0: from, step, of: 'metadata', read: [], write: [], operations: series(1).map((value) => (value === null ? null : value / 2 ** 20)), coverage, servers, prepared: 1 };
  return { t0: from, step, of: 'bytes', read: series(0), write: series(1), operations: [], coverage, servers, prepared: 1 };
}

/** @param {URLSearchParams} query @returns {import('../src/lib/api').Heat} */
export function heat(query) {
  const { from, bins, step } = rangeOf(query);
  const wanted = Number(query.get('rows') ?? 76);
  const rows = Math.min(servers, wanted);
  const each = servers / rows;
  const direction = /** @type {'read' | 'write' | 'total' | 'metadata'} */ (query.get('direction') ?? 'total');
  const cells = new Float32Array(rows * bins);
  let largest = 0;
  for (let r = 0; r < rows; r++) {
    for (let b = 0; b < bins; b++) {
      const t = from + (b + 0.5) * step;
      const favour = (r % 19 === 7 ? 3.2 : 0.7 + 0.6 * Math.abs(Math.sin(r * 78.233))) * (Math.floor(t / 40000 + r / 12) % 3 === 0 ? 2.2 : 0.5);
      const value = ((direction === 'write' ? 0 : rate(t, 0)) + (direction === 'read' ? 0 : rate(t + r * 60, 1))) / servers * favour;
      const known = measured(t) && !(t > start + 21 * 86400 && t < start + 22.5 * 86400 && r % 5 === 2);
      cells[r * bins + b] = known ? value : NaN;
      if (known) largest = Math.max(largest, value);
    }
  }
  return {
    t0: from, step, bins, direction, largest, prepared: 1, cells: Buffer.from(cells.buffer).toString('base64'),
    rows: Array.from({ length: rows }, (_, r) => ({ name: each > 1 ? `ion${String(Math.floor(r * each)).padStart(3, '0')} to ion${String(Math.floor((r + 1) * each) - 1).padStart(3, '0')}` : `ion${String(r).padStart(3, '0')}`, servers: Math.max(1, Math.round(each)) })),
  };
}

const bytesOf = (/** @type {MadeJob} */ job) => (job.row.read_bytes ?? 0) + (job.row.write_bytes ?? 0);
const endOf = (/** @type {MadeJob} */ job) => job.row.end ?? end;
const during = (/** @type {number} */ from, /** @type {number} */ to) => jobs.filter((job) => job.row.start < to && endOf(job) > from);

/** @param {URLSearchParams} query @returns {import('../src/lib/api').Gantt} */
export function gantt(query) {
  const { from, to } = rangeOf(query);
  const all = during(from, to);
  const chosen = [...all].sort((a, b) => bytesOf(b) - bytesOf(a)).slice(0, Number(query.get('limit') ?? 300)).sort((a, b) => a.row.start - b.row.start);
  /** @type {number[]} */
  const free = [];
  const drawn = chosen.map((job) => {
    let lane = free.findIndex((until) => until <= job.row.start);
    if (lane < 0) lane = free.length;
    free[lane] = endOf(job);
    const { job_id, user, name, nodes } = job.row;
    return { job_id, user, name, nodes, start: job.row.start, end: job.row.end, lane, bytes: bytesOf(job) };
  });
  return { jobs: drawn, lanes: free.length, overlapping: all.length, chosen_by: 'bytes' };
}

/** @param {URLSearchParams} query @returns {import('../src/lib/api').Top} */
export function top(query) {
  const { from, to } = rangeOf(query);
  const by = /** @type {'job' | 'user' | 'application'} */ (query.get('by') ?? 'job');
  /** @type {Map<string, import('../src/lib/api').TopRow>} */
  const rows = new Map();
  let sum = 0;
  for (const job of during(from, to)) {
    const share = (Math.min(to, endOf(job)) - Math.max(from, job.row.start)) / (endOf(job) - job.row.start);
    const key = by === 'job' ? job.row.job_id : by === 'user' ? job.row.user : `${job.row.user}/${job.row.name}/${job.row.nodes}`;
    const row = rows.get(key) ?? { key, user: job.row.user, name: by === 'user' ? '' : job.row.name, nodes: by === 'user' ? null : job.row.nodes, jobs: 0, read_bytes: 0, write_bytes: 0 };
    row.jobs++;
    row.read_bytes += (job.row.read_bytes ?? 0) * share;
    row.write_bytes += (job.row.write_bytes ?? 0) * share;
    sum += bytesOf(job) * share;
    rows.set(key, row);
  }
  const sorted = [...rows.values()].sort((a, b) => b.read_bytes + b.write_bytes - a.read_bytes - a.write_bytes).slice(0, Number(query.get('limit') ?? 20));
  return { by, method: 'counters', total: sum / 0.93, explained: sum, rows: sorted };
}

const ways = /** @type {const} */ ([{ key: 'read', label: 'read' }, { key: 'write', label: 'written' }]);
const withTotal = [...ways, { key: /** @type {const} */ ('total'), label: 'in total' }];
/** @type {ValueInfo[]} */
const values = [
  { key: 'bytes', criterion: '1.1', title: 'Bytes', unit: 'bytes', scale: 'log', directions: withTotal, varies: 'no' },
  { key: 'ops', criterion: '1.2', title: 'Operations', unit: 'ops', scale: 'log', directions: withTotal, varies: 'no' },
  { key: 'bw_max', criterion: '1.3', title: 'Maximum bandwidth', unit: 'bytes/s', scale: 'log', directions: [...ways], varies: 'no' },
  { key: 'bw_mean', criterion: '1.3', title: 'Mean bandwidth', unit: 'bytes/s', scale: 'log', directions: [...ways], varies: 'no' },
  { key: 'intensity', criterion: '1.6', title: 'I/O intensity', unit: 'fraction', scale: 'linear', directions: withTotal, varies: 'threshold' },
  { key: 'small_fraction', criterion: '2.2', title: 'Small requests', unit: 'fraction', scale: 'linear', directions: [...ways], varies: 'small' },
  { key: 'nodes', criterion: '', title: 'Compute nodes', unit: 'count', scale: 'log', directions: [{ key: '', label: '' }], varies: 'no' },
  { key: 'runtime', criterion: '', title: 'Run time', unit: 'seconds', scale: 'log', directions: [{ key: '', label: '' }], varies: 'no' },
];
export const kept = [{ link: 'weighted', filesystem: '', jobs: 1992, thresholds, small }, { link: 'weighted', filesystem: 'scratch', jobs: 1990, thresholds, small }];

/** @returns {import('../src/lib/api').Values} */
export const valuesAnswer = () => ({
  values, kept,
  presets: [
    { title: 'Bytes read against written', figure: 'Figure 2', x: 'bytes.read', y: 'bytes.write', threshold: null },
    { title: 'Maximum bandwidth', figure: 'Figure 4', x: 'bw_max.read', y: 'bw_max.write', threshold: null },
    { title: 'I/O intensity above 1 MiB/s', figure: 'Figure 6', x: 'intensity.read', y: 'intensity.write', threshold: 1024 * KiB },
    { title: 'Run time of jobs', figure: 'Figure 1', x: 'runtime', y: null, threshold: null },
  ],
});

/** @param {MadeJob} job @param {string} asked @param {URLSearchParams} query @returns {number | null} */
function measure(job, asked, query) {
  if (job.row.read_bytes === null) return null;
  const [key, direction] = asked.split('.');
  const of = (/** @type {number[]} */ pair) => (direction === 'read' ? (pair[0] ?? 0) : direction === 'write' ? (pair[1] ?? 0) : (pair[0] ?? 0) + (pair[1] ?? 0));
  const c = Number(query.get('threshold') ?? 1024 * KiB);
  const size = Number(query.get('small') ?? 4 * KiB);
  const way = direction === 'write' ? 1 : 0;
  if (key === 'bytes') return of(job.bytes);
  if (key === 'ops') return of(job.ops);
  if (key === 'bw_max') return of(job.bwMax);
  if (key === 'bw_mean') return of(job.bytes) / job.duration;
  if (key === 'intensity') return Math.min(1, direction === 'total' ? intensity(job, 0, c) + intensity(job, 1, c) : intensity(job, way, c));
  if (key === 'small_fraction') return job.ops[way] ? 1 / (1 + ((job.request[way] ?? 0) / size) ** 1.5) : null;
  return key === 'nodes' ? job.nodes : job.duration;
}

/** @param {URLSearchParams} query */
function filtered(query) {
  const number = (/** @type {string} */ key) => (query.get(key) === null ? null : Number(query.get(key)));
  const within = (/** @type {number} */ v, /** @type {string} */ low, /** @type {string} */ high) => v >= (number(low) ?? -Infinity) && v <= (number(high) ?? Infinity);
  return jobs.filter((job) => {
    const io = query.get('io') ?? 'any';
    return within(job.duration, 'min_runtime', 'max_runtime') && within(job.nodes, 'min_nodes', 'max_nodes') && within(job.row.start, 'from', 'to')
      && (!query.get('user') || job.row.user === query.get('user')) && (!query.get('name') || job.row.name === query.get('name'))
      && (io !== 'both' || ((job.row.read_bytes ?? 0) > 0 && (job.row.write_bytes ?? 0) > 0));
  });
}

/** @param {string} asked @param {MadeJob[]} some @param {URLSearchParams} query */
function axisFor(asked, some, query) {
  const info = values.find((one) => one.key === asked.split('.')[0]);
  const way = info?.directions.find((one) => one.key === (asked.split('.')[1] ?? ''))?.label ?? '';
  const all = some.map((job) => measure(job, asked, query));
  return { all, axis: axisOf(`${info?.title ?? asked}${way ? `, ${way}` : ''}`, info?.unit ?? 'count', info?.scale ?? 'linear', all), info };
}

/** @param {URLSearchParams} query @returns {import('../src/lib/api').PopulationAnswer} */
export function population(query) {
  const some = filtered(query);
  const [x, y] = [query.get('x') ?? 'bytes.read', query.get('y')];
  const coverage = axisOf('Coverage', 'fraction', 'linear', some.map((job) => job.row.coverage));
  const left_out = [{ reason: 'no criteria are kept', count: some.filter((job) => job.row.read_bytes === null).length }, { reason: 'filtered out', count: jobs.length - some.length }];
  const first = axisFor(x, some, query);
  if (!y) return { jobs: some.length, left_out, pair: null, axis: first.axis, coverage };
  const second = axisFor(y, some, query);
  const threshold = first.info?.varies === 'threshold' || second.info?.varies === 'threshold' ? Number(query.get('threshold') ?? 1024 * KiB) : null;
  return {
    jobs: some.length, left_out, axis: null, coverage,
    pair: {
      id: first.info?.criterion ?? '', key: first.info?.key ?? '', title: first.info === second.info ? (first.info?.title ?? '') : `${first.info?.title} and ${second.info?.title}`, threshold, x: first.axis, y: second.axis,
      ...hexagonsOf(first.axis, second.axis, first.all, second.all), diagonal: first.info === second.info, selected: [],
    },
  };
}

/** @param {URLSearchParams} query @returns {import('../src/lib/api').JobList} */
export function jobList(query) {
  const [x, y] = [query.get('x'), query.get('y')];
  const inside = (/** @type {number | null} */ v, /** @type {string} */ axis) =>
    query.get(`${axis}_from`) === null && query.get(`${axis}_to`) === null ? true : v !== null && v >= Number(query.get(`${axis}_from`) ?? -Infinity) && v < Number(query.get(`${axis}_to`) ?? Infinity);
  const search = (query.get('search') ?? '').toLowerCase();
  const rows = filtered(query).map((job) => ({ ...job.row, x: x ? measure(job, x, query) : null, y: y ? measure(job, y, query) : null }))
    .filter((row) => inside(row.x, 'x') && inside(row.y, 'y') && (search === '' || `${row.job_id} ${row.user} ${row.name}`.toLowerCase().includes(search)));
  const sort = query.get('sort') ?? '-start';
  const key = /** @type {keyof JobRow} */ (sort.replace(/^-/, ''));
  const sign = sort.startsWith('-') ? -1 : 1;
  rows.sort((a, b) => {
    const [p, q] = [a[key], b[key]];
    if (p === null || q === null) return p === q ? 0 : p === null ? 1 : -1;
    return sign * (p < q ? -1 : p > q ? 1 : 0);
  });
  const offset = Number(query.get('offset') ?? 0);
  return { total: rows.length, offset, rows: rows.slice(offset, offset + Number(query.get('limit') ?? 50)) };
}

/** @param {string} id @returns {import('../src/lib/api').JobAnswer | null} */
export function jobAnswer(id) {
  const job = jobs.find((one) => one.row.job_id === id);
  if (!job) return null;
  const report = sampleJob(id, (endOf(job) - job.row.start) / 3600, job.kind === 'reader' ? 'reader' : job.kind === 'quiet' ? 'short' : 'checkpoint');
  const beside = during(job.row.start, endOf(job)).filter((one) => one !== job).sort((a, b) => bytesOf(b) - bytesOf(a));
  Object.assign(report, { user: job.row.user, name: job.row.name, nodes: job.row.nodes, start: job.row.start, end: endOf(job), why: null });
  report.timeline.t0 = job.row.start;
  const { timeline } = report;
  const half = (/** @type {import('../src/lib/data').Series} */ series) => series.map((v, i) => (v === null ? null : (v / timeline.step) * (0.7 + 0.2 * Math.sin(i))));
  const sum = (/** @type {import('../src/lib/data').Series} */ series) => series.reduce((/** @type {number} */ a, v) => a + (v ?? 0) * timeline.step, 0);
  const [read, write] = [half(timeline.read_bytes), half(timeline.write_bytes)];
  const clients = job === jobs[0] || job.row.name === 'turbulence' ? [{ source: /** @type {const} */ ('slices'), trace: 'turb-a', t0: timeline.t0, step: timeline.step, read, write, read_bytes: sum(read), write_bytes: sum(write) }] : [];
  const application = { user: job.row.user, name: job.row.name, nodes: job.row.nodes ?? 0, state: /** @type {const} */ ('validated') };
  return { job: job.row, report: job.row.read_bytes === null ? null : report, problem: job.row.read_bytes === null ? 'none of its servers was measured while it ran' : null, beside: beside.slice(0, 50).map((one) => one.row), beside_total: beside.length, clients, application };
}
