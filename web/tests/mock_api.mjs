// SPDX-License-Identifier: Apache-2.0
/**
 * Stands in for `fathom serve`: the built dashboard with made-up answers, on a free port of this machine.
 *   node mock_api.mjs FOLDER     serves until it is stopped
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import * as rest from './mock_rest.mjs';
import * as store from './mock_store.mjs';
import * as traces from './mock_traces.mjs';

export const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** @typedef {import('node:http').IncomingMessage} Request */
/** @typedef {import('node:http').ServerResponse} Response */

/** What a test can change while the server runs. */
export function makeSettings() {
  return {
    /** @type {string | null} */ token: null, // wanted from now on
    empty: false, // no stores, no traces
    wait: 0, // milliseconds before every answer
    /** @type {RegExp | null} */ fails: null, // paths that answer 500
    preparing: 0, // so many answers of /traffic are not whole
    commit: 41,
  };
}
/** @typedef {ReturnType<typeof makeSettings>} Settings */

const ready = { ready: true, done: 1, problem: null };
const noStates = () => ({ validated: 0, 'watch list': 0, rejected: 0, unknown: 0 });

/** @param {Settings} settings @returns {import('../src/lib/api').Catalog} */
const catalog = (settings) => ({
  version: '0.1.0', simulations: { allowed: true, most_at_once: 2, most_kept: 50, most_requests: 2_000_000, most_combinations: 64 }, traces: settings.empty ? [] : rest.traces,
  stores: settings.empty ? [] : [
    { id: 'tarn', name: 'tarn', problem: null, commit: settings.commit, start: store.start, end: store.end, jobs: store.jobs.length, filesystems: ['scratch', 'home'], live: true },
    { id: 'fresh', name: 'fresh', problem: null, commit: 1, start: null, end: null, jobs: 0, filesystems: [], live: false },
    { id: 'old', name: 'old', problem: 'written by a newer version', commit: 0, start: null, end: null, jobs: 0, filesystems: [], live: false },
  ],
});

/** @param {Settings} settings @returns {import('../src/lib/api').StoreInfo} */
const storeInfo = (settings) => ({
  id: 'tarn', name: 'tarn', commit: settings.commit, start: store.start, end: store.end, jobs: store.jobs.length, running: store.jobs.filter((job) => job.row.end === null).length, users: 60, names: 8, servers: 152, filesystems: ['scratch', 'home'],
  sampling_step: 120, shared: false, metadata: true, overview: ready, machine: ready, criteria: store.kept, applications: rest.byState(),
});

/** A store in which nothing is kept yet. @param {string} what @param {URLSearchParams} query */
function freshStore(what, query) {
  const rows = { offset: 0, total: 0, rows: [] };
  /** @type {Record<string, unknown>} */
  const answers = {
    '': { ...storeInfo(makeSettings()), id: 'fresh', name: 'fresh', start: null, end: null, jobs: 0, running: 0, users: 0, names: 0, servers: 0, filesystems: [], sampling_step: null, criteria: [], applications: noStates() },
    traffic: { t0: 0, step: 1, of: 'bytes', read: [], write: [], operations: [], coverage: [], servers: 0, prepared: 1 }, heat: { t0: 0, step: 1, bins: 0, direction: 'total', rows: [], cells: '', largest: null, prepared: 1 },
    gantt: { jobs: [], lanes: 0, overlapping: 0, chosen_by: 'bytes' }, top: { by: query.get('by') ?? 'job', method: 'counters', total: 0, explained: 0, rows: [] },
    values: { ...store.valuesAnswer(), kept: [] }, population: { jobs: 0, left_out: [], pair: null, axis: null, coverage: null }, jobs: rows, applications: { ...rows, by_state: noStates() }, decisions: { source: '', rows: [] },
  };
  return answers[what] ?? null;
}

/** @param {Settings} settings @param {string[]} parts @param {URLSearchParams} query @returns {unknown} */
function ofStore(settings, parts, query) {
  const [id, what = '', more] = parts;
  if (id === 'fresh') return freshStore(what, query);
  if (id !== 'tarn') return null;
  switch (what) {
    case '': return storeInfo(settings);
    case 'traffic': return settings.preparing-- > 0 ? { ...store.traffic(query), prepared: 0.5 } : store.traffic(query);
    case 'heat': return store.heat(query);
    case 'gantt': return store.gantt(query);
    case 'top': return store.top(query);
    case 'values': return store.valuesAnswer();
    case 'population': return store.population(query);
    case 'jobs': return more === undefined ? store.jobList(query) : store.jobAnswer(more);
    case 'applications': return rest.applicationList(query);
    case 'application': return rest.applicationAnswer(query);
    case 'load': return rest.load(query);
    case 'advice': return rest.advice();
    case 'decisions': return rest.decisions();
    default: return null;
  }
}

/** @param {string} id @param {string | undefined} what @param {URLSearchParams} query @returns {unknown} */
function ofTrace(id, what, query) {
  const trace = rest.traces.find((one) => one.id === id && one.problem === null);
  if (!trace) return null;
  return what === undefined ? traces.traceInfo(trace) : traces.tracePart(id, what, query);
}

/** @param {Settings} settings @param {string} method @param {URL} url @returns {unknown} null: there is no such thing */
function answer(settings, method, url) {
  const [first = '', ...parts] = url.pathname.replace(/^\/api\/v1\/?/, '').split('/').map(decodeURIComponent);
  if (first === '') return catalog(settings);
  if (first === 'stores') return ofStore(settings, parts, url.searchParams);
  if (first === 'traces') return ofTrace(parts[0] ?? '', parts[1], url.searchParams);
  if (first === 'compete') return traces.compete(url.searchParams);
  if (first === 'scenarios') return rest.scenarios();
  if (first !== 'simulations') return null;
  if (method === 'POST') return rest.simulations[1];
  return parts[0] === undefined ? { simulations: rest.simulations } : rest.simulation(parts[0]);
}

/** The server says how a store is when somebody begins to listen, and when it changes. @param {Settings} settings */
const storeEvent = (settings) => `event: store\ndata: ${JSON.stringify({ store: 'tarn', commit: settings.commit, overview: ready, machine: ready })}\n\n`;

/** @param {Response} response @param {number} status @param {unknown} body */
function json(response, status, body) {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}

/** Answers what begins with /api/. @param {Settings} settings @param {Set<Response>} listeners @param {Request} request @param {Response} response */
export async function answerApi(settings, listeners, request, response) {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (settings.wait > 0) await new Promise((resolve) => setTimeout(resolve, settings.wait));
  if (settings.token !== null && request.headers.authorization !== `Bearer ${settings.token}`) return json(response, 401, { error: { kind: 'token', message: 'a token is needed' } });
  if (settings.fails?.test(url.pathname)) return json(response, 500, { error: { kind: 'store', message: 'the store cannot be read: a block is damaged' } });
  if (/^\/api\/v1\/(events|simulations\/[^/]+\/events)$/.test(url.pathname)) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.write(': hello\n\n');
    if (url.pathname === '/api/v1/events') response.write(storeEvent(settings));
    listeners.add(response);
    response.on('close', () => listeners.delete(response));
    return undefined;
  }
  const found = answer(settings, request.method ?? 'GET', url);
  return found === null || found === undefined ? json(response, 404, { error: { kind: 'not_found', message: `there is no ${url.pathname}` } }) : json(response, 200, found);
}

/** @type {Record<string, string>} */
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml', '.txt': 'text/plain; charset=utf-8' };

/** Every address without a file is a page of the dashboard. @param {string} folder @param {Request} request @param {Response} response */
function file(folder, request, response) {
  const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
  const name = path.startsWith('/assets/') || path === '/licences.txt' ? path : '/index.html';
  response.setHeader('Content-Security-Policy', policy);
  try {
    const body = readFileSync(join(folder, name));
    response.writeHead(200, { 'Content-Type': types[extname(name)] ?? 'application/octet-stream' });
    response.end(body);
  } catch {
    response.writeHead(404).end('not found');
  }
}

/** @param {string} folder with the built dashboard */
export async function startMock(folder) {
  const settings = makeSettings();
  /** @type {Set<Response>} */
  const listeners = new Set();
  /** @type {string[]} */
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url?.startsWith('/api/')) void answerApi(settings, listeners, request, response);
    else file(folder, request, response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  /** Tells everybody that the store has grown. */
  const grow = () => {
    settings.commit++;
    for (const one of listeners) one.write(storeEvent(settings));
  };
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url, settings, asked, grow, stop };
}

if (process.argv[1] === import.meta.filename) console.log((await startMock(process.argv[2] ?? 'dist/dashboard')).url);
