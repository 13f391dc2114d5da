// SPDX-License-Identifier: Apache-2.0
/** Made-up answers about applications, advice, traces and simulations. */
import { jobs, start, end } from './mock_store.mjs';
import { sampleApplication } from './sample_application.mjs';
import { moreTraces } from './mock_traces.mjs';
import { makeRandom } from './random.mjs';
import { sampleComparison } from './sample_what_if.mjs';

/** @typedef {import('../src/lib/application_data').State} State */
/** @typedef {import('../src/lib/api').ApplicationRow} ApplicationRow */

const GiB = 1024 ** 3;
/** @type {State[]} */
const states = ['validated', 'watch list', 'rejected', 'unknown'];

/** @type {ApplicationRow[]} */
export const applications = (() => {
  const random = makeRandom(5);
  const names = new Map(jobs.map((job) => [`${job.row.user}/${job.row.name}/${job.row.nodes}`, job.row]));
  return [...names.values()].slice(0, 180).map((row, i) => {
    const state = states[Math.min(3, Math.floor(random.uniform() ** 0.7 * 4))] ?? 'unknown';
    const known = state !== 'unknown';
    const period = random.lognormal(1800, 0.4);
    return {
      user: i === 0 ? 'bob' : row.user, name: i === 0 ? 'climate.x' : row.name, nodes: i === 0 ? 128 : (row.nodes ?? 0), state: i === 0 ? 'validated' : state,
      reason: known ? `writes every ${Math.round(period)} s in most of its runs` : 'no regular bursts in its runs', patterns: known ? 1 + Math.floor(random.uniform() * 3) : 0,
      period_s: known ? period : null, burst_bytes: known ? random.lognormal(40 * GiB, 0.6) : null, burst_s: known ? random.lognormal(40, 0.3) : null,
      throughput: known ? random.lognormal(1.4 * GiB, 0.4) : null, footprint: known ? Math.ceil(random.uniform() * 160) : null, samples: Math.ceil(random.lognormal(30, 0.4)),
      support: known ? Math.ceil(random.lognormal(12, 0.4)) : 0, confidence: known ? 0.9 + 0.1 * random.uniform() : null,
    };
  });
})();
export const byState = () => /** @type {Record<State, number>} */ (Object.fromEntries(states.map((state) => [state, applications.filter((one) => one.state === state).length])));

/** @param {URLSearchParams} query @returns {import('../src/lib/api').ApplicationList} */
export function applicationList(query) {
  const search = (query.get('search') ?? '').toLowerCase();
  const state = query.get('state');
  const sort = query.get('sort') ?? '-confidence';
  const key = /** @type {keyof ApplicationRow} */ (sort.replace(/^-/, ''));
  const rows = applications.filter((one) => (!state || one.state === state) && `${one.user} ${one.name}`.toLowerCase().includes(search));
  rows.sort((a, b) => {
    const [p, q] = [a[key], b[key]];
    if (p === null || q === null) return p === q ? 0 : p === null ? 1 : -1;
    return (sort.startsWith('-') ? -1 : 1) * (p < q ? -1 : p > q ? 1 : 0);
  });
  const offset = Number(query.get('offset') ?? 0);
  return { total: rows.length, offset, by_state: byState(), rows: rows.slice(offset, offset + Number(query.get('limit') ?? 50)) };
}

/** @param {URLSearchParams} query */
export function applicationAnswer(query) {
  const [user, name, nodes] = [query.get('user') ?? '', query.get('name') ?? '', Number(query.get('nodes') ?? 0)];
  return applications.some((one) => one.user === user && one.name === name && one.nodes === nodes) ? { ...sampleApplication(), user, name, nodes, title: `${user}/${name}/${nodes}` } : null;
}

/** @param {URLSearchParams} query @returns {import('../src/lib/api').LoadAnswer} */
export const load = (query) => ({
  at: Number(query.get('at') ?? end), seconds: 600, bands: [0, 1e6, 1e7, 1e8, 1e9], weights: [0, 1, 2, 4, 8], origin: 'from the counters of the last 30 days',
  servers: Array.from({ length: 152 }, (_, i) => ({ server: `ion${String(i).padStart(3, '0')}`, filesystem: i < 130 ? 'scratch' : 'home', score: Math.abs(Math.sin(i * 7.1)) * 8, mean_throughput: Math.abs(Math.sin(i * 7.1)) * 2e8, coverage: i % 40 === 3 ? 0.5 : 1, bands: [0.5, 0.2, 0.15, 0.1, 0.05] })),
});
/** @returns {import('../src/lib/api').AdviceAnswer} */
export const advice = () => ({ at: end, verdict: 'delay', reason: 'only 41 of the 160 servers that it needs are calm enough', known: true, views: [{ filesystem: 'scratch', servers: 41, score: 3.1, limit: 2.5, enough: false }] });
/** @returns {import('../src/lib/api').Decisions} */
export const decisions = () => ({
  source: 'advice.log',
  rows: jobs.slice(0, 30).map((job, i) => ({ time: end - i * 900, job_id: job.row.job_id, user: job.row.user, name: job.row.name, nodes: job.row.nodes ?? 0, verdict: i % 3 ? 'run' : 'delay', reason: i % 3 ? 'the servers are calm' : 'too many servers are busy', waited: i % 3 ? null : 300 })),
});

/** @type {import('../src/lib/api').TraceEntry[]} */
export const traces = [
  { id: 'turb-a', name: 'turbulence, run A', problem: null, start: start + 86400, end: start + 86400 + 420, ranks: 512, events: 1_482_311, has_calls: true, has_slices: true, program: 'turbulence', job: jobs[0]?.row.job_id ?? '' },
  { id: 'turb-b', name: 'turbulence, run B', problem: null, start: start + 86410, end: start + 86900, ranks: 256, events: null, has_calls: false, has_slices: true, program: 'turbulence', job: '' },
  { id: 'broken', name: 'half a trace', problem: 'the file ends within a block', start: null, end: null, ranks: 0, events: null, has_calls: false, has_slices: false, program: '', job: '' },
  ...moreTraces,
];

/** @type {import('../src/lib/api').SimulationRequest} */
const request = { title: 'Twice the burst buffer', scenario: 'burst-buffer', changes: { 'buffer.size': '2 TiB' }, sweep: [], store: null };
/** @returns {import('../src/lib/api').Scenarios} */
export const scenarios = () => ({ scenarios: [{ name: 'burst-buffer', title: 'Burst buffers on I/O nodes', toml: '[machine]\nnodes = 152\n', parameters: [{ key: 'buffer.size', group: 'buffer', about: '', meaning: 'size of a buffer', unit: 'bytes', value: '1 TiB', original: '1 TiB', choices: [], extra: false, sweeps: true }] }] });
/** @type {import('../src/lib/api').SimulationEntry[]} */
export const simulations = [
  { id: 's1', title: request.title, state: 'done', done: 1, problem: null, created: end, request },
  { id: 's2', title: 'A faster network', state: 'running', done: 0.4, problem: null, created: end + 60, request: { ...request, title: 'A faster network' } },
];
/** @param {string} id @returns {import('../src/lib/api').SimulationAnswer | null} */
export function simulation(id) {
  const found = simulations.find((one) => one.id === id);
  return found ? { ...found, result: found.state === 'done' ? /** @type {import('../src/lib/what_if_data').WhatIfData} */ (sampleComparison()) : null } : null;
}
