// SPDX-License-Identifier: Apache-2.0
/** A made-up report with the shape of a real one: some 2,000 jobs with heavy tails, three of them in detail. */
import { writeFileSync } from 'node:fs';
import { axisOf, hexagonsOf } from './binning.mjs';
import { makeRandom } from './random.mjs';
import { sampleJob } from './sample_job.mjs';

/** @typedef {import('../src/lib/data').ReportData} ReportData */
/** @typedef {import('../src/lib/data').Population} Population */
/** @typedef {import('../src/lib/data').Pair} Pair */
/** @typedef {import('../src/lib/data').Axis} Axis */
/** @typedef {ReturnType<typeof makeJobs>[number]} Job */

const KiB = 1024;
const GiB = 1024 ** 3;
const TiB = 1024 ** 4;
const thresholds = [0, 1 * KiB, 8 * KiB, 128 * KiB, 512 * KiB, 1024 * KiB];
const peak = 66e9;

/** @param {number} count */
export function makeJobs(count) {
  const random = makeRandom(7);
  return Array.from({ length: count }, (_, i) => {
    const nodes = 32 * 2 ** Math.floor(random.uniform() ** 1.6 * 8);
    const duration = Math.min(86400, 3600 + random.lognormal(6000, 0.45));
    const kind = random.pick(['checkpoint', 'checkpoint', 'reader', 'quiet', 'quiet', 'analysis']);
    const base = random.lognormal(nodes * 2e7, 0.55);
    const factor = { checkpoint: [0.15, 12], reader: [9, 0.3], quiet: [0.02, 0.05], analysis: [3, 2.5] }[kind] ?? [1, 1];
    const read = random.uniform() < 0.03 ? 0 : random.lognormal(base * (factor[0] ?? 1), 0.6);
    const write = random.uniform() < 0.02 ? 0 : random.lognormal(base * (factor[1] ?? 1), 0.7);
    const small = kind === 'analysis' || random.uniform() < 0.3;
    const request = [random.lognormal(small ? 3e3 : 6e5, 0.4), random.lognormal(small ? 2e4 : 1.2e6, 0.5)];
    const reach = () => 1 / (1 + Math.exp(2.2 - 1.7 * random.normal()));
    const active = [reach(), reach()];
    return {
      id: String(1480000 + i * 37), nodes, duration, kind, bytes: [read, write],
      ops: [Math.ceil(read / (request[0] ?? 1)), Math.ceil(write / (request[1] ?? 1))],
      bwMax: [Math.min(6e10, (read / duration / (active[0] ?? 1)) * 1.5), Math.min(7.2e10, (write / duration / (active[1] ?? 1)) * 1.9)],
      active, balance: [1 / (1 + Math.exp(1.2 - 2 * random.normal())), 1 / (1 + Math.exp(0.2 - 2 * random.normal()))],
      opens: Math.ceil(random.lognormal(nodes * 4, 0.6)), closes: 0, request,
    };
  });
}

/** @typedef {(job: Job, way: 0 | 1) => number | null} Measure */

/**
 * @param {Job[]} jobs @param {string} id @param {string} key @param {string} title @param {Axis['unit']} unit @param {Axis['scale']} scale
 * @param {Measure} measure @param {{ threshold?: number | null, selected?: Job[], labels?: [string, string] }} more
 * @returns {Pair}
 */
function pairOf(jobs, id, key, title, unit, scale, measure, more = {}) {
  const xs = jobs.map((job) => measure(job, 0));
  const ys = jobs.map((job) => measure(job, 1));
  const [xLabel, yLabel] = more.labels ?? [`${title}, read`, `${title}, written`];
  const x = axisOf(xLabel, unit, scale, xs);
  const y = axisOf(yLabel, unit, scale, ys);
  const selected = (more.selected ?? []).map((job, i) => ({
    job_id: job.id, x: measure(job, 0) ?? 0, y: measure(job, 1) ?? 0, why: reasons[i] ?? '',
  }));
  return { id, key, title, threshold: more.threshold ?? null, x, y, ...hexagonsOf(x, y, xs, ys), diagonal: true, selected };
}

const reasons = ['most bytes read', 'most bytes written', 'median of jobs above 1 TiB'];

/** @param {Job[]} jobs */
function interesting(jobs) {
  const by = (/** @type {0 | 1} */ way) => [...jobs].sort((a, b) => (b.bytes[way] ?? 0) - (a.bytes[way] ?? 0));
  const large = by(1).filter((job) => (job.bytes[1] ?? 0) > TiB);
  return /** @type {Job[]} */ ([by(0)[0], by(1)[0], large[Math.floor(large.length / 2)]].filter(Boolean));
}

/** Activity above a threshold shrinks as the threshold grows. @param {Job} job @param {0 | 1} way @param {number} c */
export const intensity = (job, way, c) => ((job.bytes[way] ?? 0) > 0 ? Math.min(1, (job.active[way] ?? 0) / (1 + Math.log2(1 + c / KiB) / 8)) : 0);

/** @param {Job[]} jobs @returns {Population['threshold_panels']} */
function panelsOf(jobs) {
  /** @type {[string, 'intensity' | 'burstiness' | 'parallel_intensity', string, (job: Job, way: 0 | 1, c: number) => number | null][]} */
  const kinds = [
    ['1.6', 'intensity', 'I/O intensity', intensity],
    ['2.9', 'burstiness', 'Burstiness', (job, way, c) => 1 - Math.tanh(intensity(job, way, c) * 3)],
    ['3.1', 'parallel_intensity', 'Parallel I/O intensity', (job, way, c) => (job.nodes < 64 ? null : (job.balance[way] ?? 0) / (1 + c / 4e6))],
  ];
  return kinds.map(([id, key, title, measure]) => ({
    id, key, title,
    panels: thresholds.map((c) =>
      pairOf(jobs, id, key, title, 'fraction', 'linear', (job, way) => measure(job, way, c), {
        threshold: c, labels: [`${title} of reading`, `${title} of writing`],
      }),
    ),
  }));
}

/** Reading and writing together, for every threshold. @param {Job[]} jobs @returns {Population['singles']} */
function togetherOf(jobs) {
  return panelsOf([]).flatMap(({ id, key, title }) =>
    thresholds.map((threshold) => ({
      id, key, title, threshold,
      axis: axisOf(title, 'fraction', 'linear', jobs.map((job) => {
        const active = Math.min(1, intensity(job, 0, threshold) + intensity(job, 1, threshold));
        return key === 'burstiness' ? 1 - Math.tanh(active * 3) : active;
      })),
    })),
  );
}

/** Small requests of each job. @param {Job[]} jobs @returns {Population['singles']} */
function smallOf(jobs) {
  return [4, 8, 64, 128, 512, 1024, 4096].flatMap((kib) =>
    /** @type {const} */ ([0, 1]).map((way) => {
      const label = `Small ${way ? 'writes' : 'reads'} of at most ${kib < 1024 ? `${kib} KiB` : `${kib / 1024} MiB`}`;
      const share = (/** @type {Job} */ job) => (job.ops[way] ? 1 / (1 + ((job.request[way] ?? 0) / (kib * KiB)) ** 1.5) : null);
      return { id: '2.2', key: 'small_fraction', title: label, threshold: null, axis: axisOf(label, 'fraction', 'linear', jobs.map(share)) };
    }),
  );
}

/** @param {Job[]} jobs @param {Job[]} selected @returns {Population['volume_vs_bandwidth']} */
function volumeVsBandwidth(jobs, selected) {
  return /** @type {const} */ ([0, 1]).map((way) => {
    const word = way ? 'written' : 'read';
    const x = axisOf(`Bytes ${word}`, 'bytes', 'log', jobs.map((job) => job.bytes[way] ?? null));
    const y = axisOf(`Maximum ${way ? 'write' : 'read'} bandwidth`, 'bytes/s', 'log', jobs.map((job) => job.bwMax[way] ?? null));
    const hexagons = hexagonsOf(x, y, jobs.map((job) => job.bytes[way] ?? null), jobs.map((job) => job.bwMax[way] ?? null));
    return {
      id: '1.3', key: `volume_${word}`, title: `Bytes ${word} and maximum bandwidth`, threshold: null, x, y, ...hexagons, diagonal: false,
      selected: selected.map((job, i) => ({ job_id: job.id, x: job.bytes[way] ?? 0, y: job.bwMax[way] ?? 0, why: reasons[i] ?? '' })),
      peak,
      above_peak: jobs.filter((job) => (job.bwMax[way] ?? 0) > peak).slice(0, 12).map((job) => ({ job_id: job.id, nodes: job.nodes, value: job.bwMax[way] ?? 0 })),
    };
  });
}

/** @param {Job[]} jobs @param {0 | 1} way */
function requestSizes(jobs, way) {
  const counts = new Array(30).fill(0);
  for (const job of jobs) counts[Math.min(29, Math.max(0, Math.floor(Math.log2(job.request[way] ?? 1))))] += job.ops[way] ?? 0;
  return counts.map((ops, i) => ({ from: 2 ** i, to: 2 ** (i + 1), ops })).filter((bin) => bin.ops > 0);
}

/** @param {Job[]} jobs @param {Job[]} selected @returns {Population} */
function populationOf(jobs, selected) {
  const random = makeRandom(11);
  /** @param {keyof Population['table2'][number]} key @param {Population['threshold_panels']} sets @param {number} i @returns {[number | null, number | null]} */
  const p80 = (key, sets, i) => {
    const panel = sets.find((set) => set.key === key)?.panels[i];
    return [panel?.x.p80 ?? null, panel?.y.p80 ?? null];
  };
  const sets = panelsOf(jobs);
  /** @param {0 | 1} way @param {number} size */
  const smallShare = (way, size) => {
    const bins = requestSizes(jobs, way);
    const sum = bins.reduce((a, b) => a + b.ops, 0);
    return bins.filter((bin) => bin.to <= size).reduce((a, b) => a + b.ops, 0) / sum;
  };
  const total = jobs.reduce((a, job) => a + (job.bytes[0] ?? 0) + (job.bytes[1] ?? 0), 0);
  const rate = (/** @type {Job} */ job, /** @type {0 | 1} */ way) => (job.bytes[way] ?? 0) / job.duration;
  return {
    jobs: jobs.length,
    left_out: [{ reason: 'shorter than 1 h', count: 4211 }, { reason: 'no I/O', count: 63 }, { reason: 'benchmarks', count: 12 }],
    link: 'weighted', min_runtime: 3600,
    pairs: [
      pairOf(jobs, '1.1', 'bytes', 'Bytes', 'bytes', 'log', (job, way) => job.bytes[way] ?? null, { selected, labels: ['Bytes read', 'Bytes written'] }),
      pairOf(jobs, '1.2', 'ops', 'Operations', 'ops', 'log', (job, way) => job.ops[way] ?? null, { selected, labels: ['Read operations', 'Write operations'] }),
      pairOf(jobs, '1.3', 'bw_max', 'Maximum bandwidth', 'bytes/s', 'log', (job, way) => job.bwMax[way] ?? null, { selected, labels: ['Maximum read bandwidth', 'Maximum write bandwidth'] }),
      pairOf(jobs, '1.3', 'bw_mean', 'Mean bandwidth', 'bytes/s', 'log', rate, { selected, labels: ['Mean read bandwidth', 'Mean write bandwidth'] }),
      pairOf(jobs, '1.4', 'iops_mean', 'Mean IOPS', 'ops/s', 'log', (job, way) => (job.ops[way] ?? 0) / job.duration, { labels: ['Mean read IOPS', 'Mean write IOPS'] }),
    ],
    singles: [
      { id: '', key: 'nodes', title: 'Compute nodes', threshold: null, axis: axisOf('Compute nodes', 'count', 'log', jobs.map((job) => job.nodes)) },
      { id: '', key: 'duration', title: 'Run time', threshold: null, axis: axisOf('Run time', 'seconds', 'log', jobs.map((job) => job.duration)) },
      { id: '1.5', key: 'opens', title: 'Opens', threshold: null, axis: axisOf('Open operations', 'count', 'log', jobs.map((job) => job.opens)) },
      { id: '2.4', key: 'read_share_bytes', title: 'Share of reading', threshold: null,
        axis: axisOf('Share of read bytes', 'fraction', 'linear', jobs.map((job) => (job.bytes[0] ?? 0) / ((job.bytes[0] ?? 0) + (job.bytes[1] ?? 0) || 1))) },
      ...togetherOf(jobs), ...smallOf(jobs),
    ],
    threshold_panels: sets,
    volume_vs_bandwidth: volumeVsBandwidth(jobs, selected),
    table2: thresholds.map((threshold, i) => ({
      threshold, intensity: p80('intensity', sets, i), burstiness: p80('burstiness', sets, i), parallel_intensity: p80('parallel_intensity', sets, i),
    })),
    small: [4, 8, 64, 128, 512, 1024, 4096].map((kib) => ({ size: kib * KiB, read: smallShare(0, kib * KiB), write: smallShare(1, kib * KiB) })),
    request_sizes: { read: requestSizes(jobs, 0), write: requestSizes(jobs, 1), left_out_bytes: 3.2 * GiB },
    opens_closes: { more_opens: 312, more_closes: 41, equal: jobs.length - 353, p80_relative_difference: 0.0021 },
    servers: Array.from({ length: 152 }, (_, i) => {
      const share = random.lognormal(i % 38 === 7 ? 4 : 1, 0.12);
      return {
        server: `ion${String(i).padStart(3, '0')}`, read_bytes: share * 3.1 * TiB, write_bytes: share * random.lognormal(7.4, 0.05) * TiB,
        read_ops: Math.round(share * 8.1e7), write_ops: Math.round(share * 3.3e7),
      };
    }),
    selected: selected.map((job, i) => ({ job_id: job.id, why: reasons[i] ?? '', read_bytes: job.bytes[0] ?? 0, write_bytes: job.bytes[1] ?? 0 })),
    linking: { to_jobs: Math.round(total * 0.931), unattributed: Math.round(total) - Math.round(total * 0.931), discarded: 0, repeated: 0, total: Math.round(total), conserved: true },
  };
}

/** @param {number} [count] @returns {ReportData} */
export function sampleReport(count = 2013) {
  const jobs = makeJobs(count);
  const selected = interesting(jobs);
  return {
    format: 1, title: 'I/O of the jobs on Tarn, April 2013', generated: 1367366400, version: '0.1.0',
    store: { name: 'tarn', start: 1364774400, end: 1367366400, servers: 152, jobs: count + 4286, sampling_step: 120 },
    notes: [
      'Counters were read every 120 s: nothing shorter than that can be seen, and periods below 240 s are not looked for.',
      '3 servers sent no data on 2013-04-17; jobs on them carry the badge "low coverage".',
    ],
    population: populationOf(jobs, selected),
    jobs: [sampleJob('1484921', 24, 'checkpoint'), sampleJob('1502348', 6, 'reader'), sampleJob('1533021', 1, 'short')],
  };
}

/** A report with nothing in it. @returns {ReportData} */
export function emptyReport() {
  return {
    format: 1, title: 'An empty store', generated: 1367366400, version: '0.1.0',
    store: { name: 'empty', start: null, end: null, servers: 0, jobs: 0, sampling_step: null },
    notes: [], population: null, jobs: [],
  };
}

/** A population with no job, with one, or with jobs that did nothing. @param {'none' | 'one' | 'zero'} kind @returns {ReportData} */
export function sparseReport(kind) {
  const jobs = kind === 'none' ? [] : makeJobs(kind === 'one' ? 1 : 40);
  if (kind === 'zero') for (const job of jobs) Object.assign(job, { bytes: [0, 0], ops: [0, 0], bwMax: [0, 0], active: [0, 0], opens: 0 });
  const population = populationOf(jobs, kind === 'one' ? jobs : []);
  if (kind !== 'one') {
    population.servers = kind === 'none' ? [] : population.servers.map((s) => ({ ...s, read_bytes: 0, write_bytes: 0, read_ops: 0, write_ops: 0 }));
    population.small = population.small.map((row) => ({ size: row.size, read: null, write: null }));
    population.request_sizes.left_out_bytes = 0;
    population.linking = { to_jobs: 0, unattributed: 0, discarded: 0, repeated: 0, total: 0, conserved: true };
    population.opens_closes = { more_opens: 0, more_closes: 0, equal: jobs.length, p80_relative_difference: null };
  }
  return { ...emptyReport(), title: `A store with ${kind}`, population, jobs: kind === 'none' ? [] : [sampleJob('7', 1, 'silent')] };
}

if (process.argv[1] === import.meta.filename) writeFileSync(1, JSON.stringify(sampleReport()));
