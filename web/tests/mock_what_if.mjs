// SPDX-License-Identifier: Apache-2.0
/** Stands in for the what-if and advice parts of `fathom serve`: simulations that take a moment, load, advice, decisions. All else is asked of mock_api.mjs. */
import { createServer, request as ask } from 'node:http';
import { startMock } from './mock_api.mjs';
import { end } from './mock_store.mjs';
import { makeRandom } from './random.mjs';
import { sampleComparison, sampleSweep } from './sample_what_if.mjs';

/** @typedef {import('../src/lib/api').SimulationAnswer} SimulationAnswer */
/** @typedef {import('../src/lib/api').SimulationRequest} SimulationRequest */
/** @typedef {import('../src/lib/api').ScenarioParameter} ScenarioParameter */

/** @param {string} key @param {string} value @param {ScenarioParameter['unit']} unit @param {string} meaning @param {Partial<ScenarioParameter>} [more] @returns {ScenarioParameter} */
const parameter = (key, value, unit, meaning, more = {}) => ({ key, group: key.split('.')[0] ?? '', about: 'what this part does', meaning, unit, value, original: value, choices: [], extra: false, sweeps: true, ...more });

/** @param {string} name @param {string} title @param {string} buffer @param {string} link */
const scenario = (name, title, buffer, link) => ({
  name, title, toml: '[tree]\n', parameters: [
    parameter('compute_nodes.in_flight', '1', 'count', 'requests of a compute node that are under way at a time', { extra: true }), parameter('tree.bandwidth', '850 MiB/s', 'bytes_per_second', 'of one link, each way'),
    parameter('tree.root_links', '2', 'count', 'links that end at the I/O node'), parameter('tree.shape', 'root', 'choice', 'which links take time', { choices: ['root', 'binary'], extra: true }),
    parameter('ciod.buffer', '4 MiB', 'bytes', 'larger requests are split'), parameter('page_pool.size', '1 GiB', 'bytes', 'memory of an I/O node for writes; 0: none'),
    parameter('burst_buffer.size', buffer, 'bytes', 'of one I/O node; 0: none', { original: '0' }), parameter('burst_buffer.bandwidth', '850 MiB/s', 'bytes_per_second', 'each way'),
    parameter('external_link.bandwidth', link, 'bytes_per_second', 'of one I/O node, each way', { original: '10 Gbit/s' }), parameter('disk_link.bandwidth', '66 GiB/s', 'bytes_per_second', 'shared by all I/O nodes'),
    parameter('targets.count', '0', 'count', 'object storage targets; 0: disks take no time', { extra: true }),
    parameter('io_nodes.count', '600', 'count', 'how many I/O nodes there are', { sweeps: false }), parameter('generator.missing_operations', 'error', 'choice', 'where a store has bytes and no operations', { choices: ['error', 'fill_buffers'], sweeps: false }),
    parameter('cost.currency', '', 'text', 'a word for people', { sweeps: false }), parameter('cost.external_bandwidth', '', 'number', 'price of 1 Gbit/s', { sweeps: false }), parameter('cost.burst_buffer', '', 'number', 'price of 1 GiB', { sweeps: false }),
  ],
});
/** @returns {import('../src/lib/api').Scenarios} */
const scenarios = () => ({ scenarios: [scenario('jugene', 'JUGENE as the dissertation models it', '0', '10 Gbit/s'), scenario('jugene-burst-buffer', 'JUGENE with burst buffers and slow links', '64 GiB', '1 Gbit/s')] });

/** @returns {import('../src/lib/api').LoadAnswer} */
export function load() {
  const random = makeRandom(3);
  const bands = Array.from({ length: 17 }, (_, i) => i * 30e6);
  const row = (/** @type {number} */ i) => {
    const busy = random.uniform() ** 3;
    const shares = bands.map((_, band) => Math.max(0, Math.exp(-(((band - busy * 11) / (1 + 2 * busy)) ** 2)) - 0.01));
    const sum = shares.reduce((a, b) => a + b, 0);
    const measured = i % 50 !== 7;
    return { server: `oss${String(i).padStart(3, '0')}`, filesystem: i < 140 ? 'scratch' : 'home', score: measured ? 1 + 4 * busy : null, mean_throughput: measured ? busy * 3e8 : null, coverage: measured ? (i % 31 === 2 ? 0.4 : 1) : 0, bands: measured ? shares.map((one) => one / sum) : [] };
  };
  return { at: end, seconds: 1200, bands, weights: bands.map((_, i) => 1 + i / 4), origin: 'built in, a replayed machine', servers: Array.from({ length: 180 }, (_, i) => row(i)) };
}

/** @param {URLSearchParams} query @returns {import('../src/lib/api').AdviceAnswer} */
const advice = (query) => query.get('name') === 'climate.x'
  ? { at: end, verdict: 'delay', reason: 'scratch: its 96 least loaded servers score 2.41, not below 1.62', known: true, views: [{ filesystem: 'scratch', servers: 96, score: 2.41, limit: 1.62, enough: false }, { filesystem: 'home', servers: 0, score: null, limit: null, enough: false }] }
  : { at: end, verdict: 'run', reason: `nothing is known of this application's I/O on ${query.get('nodes')} nodes`, known: false, views: [] };

/** A server of which a test can change what it does. @param {string} folder with the built dashboard */
export async function startWhatIfMock(folder) {
  const inner = await startMock(folder);
  const settings = { steps: 5, fails: '', full: false, decisions: true, noLoad: false };
  /** @type {SimulationAnswer[]} */
  const list = [];
  /** @type {SimulationRequest[]} */
  const asked = [];
  let last = 0;
  /** @type {import('../src/lib/api').Decisions['rows']} */
  const decided = Array.from({ length: 12 }, (_, i) => ({ time: end - 90 * i, job_id: String(90812 - (i >> 1)), user: 'bob', name: 'climate.x', nodes: 128, verdict: i % 2 === 0 ? 'run' : 'delay', reason: i % 2 === 0 ? 'scratch: its servers score 1.31, below 1.62' : 'scratch: its servers score 2.41, not below 1.62', waited: i % 2 === 0 ? 90 : 0 }));

  /** One step further each time that somebody asks. @param {SimulationAnswer} one */
  function step(one) {
    if (one.state === 'waiting') one.state = 'running';
    else if (one.state === 'running') {
      one.done = Math.min(1, one.done + 1 / settings.steps);
      if (one.done >= 1 - 1e-9) {
        one.state = settings.fails ? 'failed' : 'done';
        one.problem = settings.fails || null;
        one.result = settings.fails ? null : { ...(one.request.sweep.length > 0 ? sampleSweep() : sampleComparison()), title: one.title };
      }
    }
    return one;
  }
  /** @param {SimulationRequest} request */
  function add(request) {
    asked.push(request);
    const title = request.title || `${request.scenario} ${last + 1}`;
    list.unshift({ id: `6a-${++last}`, title, state: 'waiting', done: 0, problem: null, created: end + last, request: { ...request, title }, result: null });
    return list[0];
  }
  const entry = (/** @type {SimulationAnswer} */ { result: _, ...rest }) => rest;

  /** @param {string} method @param {string[]} parts @param {string} body @returns {{ status?: number, body?: unknown, text?: string } | null} null: somebody else answers */
  function answer(method, parts, body, /** @type {URLSearchParams} */ query) {
    if (parts[0] === 'scenarios') return { body: scenarios() };
    if (parts[0] === 'stores' && parts[1] === 'tarn') {
      if (parts[2] === 'load') return settings.noLoad ? { status: 404, body: { error: { kind: 'not_found', message: 'looking at the load: nothing was measured' } } } : { body: load() };
      if (parts[2] === 'advice') return { body: advice(query) };
      if (parts[2] === 'decisions') return { body: settings.decisions ? { source: '/var/lib/fathom/slurm/decisions.csv', rows: decided } : { source: '', rows: [] } };
    }
    if (parts[0] !== 'simulations') return null;
    const one = list.find((each) => each.id === parts[1]);
    if (method === 'POST') return settings.full ? { status: 503, body: { error: { kind: 'busy', message: 'adding a simulation: 8 wait already; try again when one has ended' } } } : { body: entry(/** @type {SimulationAnswer} */ (add(JSON.parse(body)))) };
    if (parts[1] === undefined) return { body: { simulations: list.map((each) => entry(step(each))) } };
    if (!one) return { status: 404, body: { error: { kind: 'not_found', message: `there is no simulation ${parts[1]} here` } } };
    if (parts[2] === 'page') return { text: '<!doctype html><title>kept</title>' };
    if (parts[2] === 'scenario.toml') return { text: '# fathom simulate x.toml\noriginal = "jugene"\n' };
    if (method === 'DELETE' && (one.state === 'waiting' || one.state === 'running')) one.state = 'cancelled';
    else if (method === 'DELETE') list.splice(list.indexOf(one), 1);
    return { body: method === 'DELETE' ? entry(one) : step(one) };
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const parts = url.pathname.replace(/^\/api\/v1\/?/, '').split('/').map(decodeURIComponent);
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const found = url.pathname.startsWith('/api/v1/') && parts[2] !== 'events' ? answer(request.method ?? 'GET', parts, body, url.searchParams) : null;
      if (found) {
        response.writeHead(found.status ?? 200, { 'Content-Type': found.text === undefined ? 'application/json' : 'text/plain' });
        response.end(found.text ?? JSON.stringify(found.body));
        return;
      }
      const passed = ask(inner.url + (request.url ?? '/'), { method: request.method ?? 'GET', headers: request.headers }, (answered) => {
        response.writeHead(answered.statusCode ?? 500, answered.headers);
        answered.pipe(response);
      });
      passed.on('error', () => response.destroy());
      response.on('close', () => passed.destroy());
      passed.end(body);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
  const address = server.address();
  const stop = () => {
    server.closeAllConnections();
    server.close();
    inner.stop();
  };
  return { url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, settings, list, asked, decided, inner, add, stop };
}

if (process.argv[1] === import.meta.filename) console.log((await startWhatIfMock(process.argv[2] ?? 'dist/dashboard')).url);
