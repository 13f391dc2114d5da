// SPDX-License-Identifier: Apache-2.0
/** A made-up application: 240 runs that write checkpoints and small results, and read little by little from another file system; others write too. */
import { makeRandom } from './random.mjs';

/** @typedef {import('../src/lib/application_data').ApplicationData} ApplicationData */
/** @typedef {import('../src/lib/application_data').PatternData} PatternData */
/** @typedef {import('../src/lib/application_data').View} View */

const gib = 1073741824;
const limits = { common: 0.6, support: 5, used: 0.6, jitter: 0.055, log10_disorder: -2.5, log10_chance: -8, sure: 0.999, scope_share: 0.4, scope_periods: 5 };

/** @param {Partial<ApplicationData>} more @returns {ApplicationData} */
function page(more) {
  return {
    format: 1, title: 'bob/climate.x/128', generated: 1482969600, version: '0.1.0', notes: [], user: 'bob', name: 'climate.x', nodes: 128, state: 'unknown', reason: 'no regular bursts in its runs', provisional: false, runs: 0, runs_left_out: 0,
    limits, patterns: [], views: [], table: { job: [], start: [], length: [], shows: [], bursts: [] }, ...more,
  };
}

/** Bins equally wide on a log axis. @param {number[]} before @param {number[]} after */
function volumeBins(before, after) {
  const all = [...before, ...after];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const edge = (/** @type {number} */ i) => low * (high / low) ** (i / 40);
  const bins = Array.from({ length: 40 }, (_, i) => ({ from: edge(i), to: edge(i + 1), before: 0, after: 0 }));
  const add = (/** @type {number} */ v, /** @type {'before' | 'after'} */ kind) => {
    const bin = bins[Math.min(39, Math.floor((Math.log(v / low) / Math.log(high / low)) * 40))];
    if (bin) bin[kind]++;
  };
  before.forEach((v) => add(v, 'before'));
  after.forEach((v) => add(v, 'after'));
  /** @param {number[]} values @returns {[number, number, number]} */
  const quartiles = (values) => {
    const sorted = [...values].sort((a, b) => a - b);
    return [sorted[Math.floor(sorted.length / 4)] ?? 0, sorted[Math.floor(sorted.length / 2)] ?? 0, sorted[Math.floor((sorted.length * 3) / 4)] ?? 0];
  };
  return { bins, before: quartiles(before), after: quartiles(after), bursts: before.length, untold: 3 };
}

/** @returns {ApplicationData} */
export function sampleApplication() {
  const random = makeRandom(3);
  const kinds = [
    { filesystem: 'scratch', direction: /** @type {const} */ ('write'), period: 1811.8372, bytes: 262 * gib, length: 62, servers: 160, shown: 0.94 },
    { filesystem: 'scratch', direction: /** @type {const} */ ('write'), period: 604.2, bytes: 14.5 * gib, length: 20, servers: 4, shown: 0.71 },
    { filesystem: 'home', direction: /** @type {const} */ ('read'), period: 77.35, bytes: 0.8 * gib, length: 6, servers: 1, shown: 0.66 },
  ];
  const runs = Array.from({ length: 240 }, (_, i) => ({ job: String(210544 + 37 * i), start: 1480550400 + i * 10700, length: i % 23 === 5 ? 900 : 9000 + random.uniform() * 16000 }));
  const shows = kinds.map((kind) => runs.map((run) => (run.length < 3.2 * kind.period ? 's' : random.uniform() < kind.shown ? 'y' : random.uniform() < 0.1 ? 'a' : 'n')).join(''));
  /** Starts of bursts in each run. @type {number[][][]} */
  const starts = kinds.map((kind, k) => runs.map((run, r) => {
    /** @type {number[]} */
    const times = [];
    if ('ya'.includes(shows[k]?.[r] ?? '')) for (let t = kind.period * 0.4; t < run.length; t += kind.period * (1 + 0.02 * random.normal())) if (random.uniform() < 0.93) times.push(t);
    return times;
  }));
  const others = runs.map((run) => Array.from({ length: Math.floor(run.length / 1500) }, () => random.uniform() * run.length).sort((a, b) => a - b));
  const patterns = kinds.map((kind, k) => {
    const bursts = (starts[k] ?? []).flat().length;
    const after = Array.from({ length: bursts }, () => kind.bytes * random.lognormal(1, 0.012));
    const before = after.map((v) => (random.uniform() < 0.4 ? v * (1 + random.lognormal(0.15, 0.35)) : v * random.lognormal(1.01, 0.02)));
    const counts = Array.from({ length: 111 }, () => 0);
    let over = 0;
    for (const times of starts[k] ?? []) {
      for (let i = 1; i < times.length; i++) {
        const bin = Math.round(((times[i] ?? 0) - (times[i - 1] ?? 0)) / kind.period / 0.05);
        if (bin < 111) counts[bin] = (counts[bin] ?? 0) + 1;
        else over++;
      }
    }
    const spread = kind.servers === 1 ? 0 : Math.max(1, Math.round(kind.servers * 0.04));
    const servers = Array.from({ length: 2 * spread + 1 }, (_, i) => ({ from: kind.servers - spread + i, to: kind.servers - spread + i + 1, count: Math.round(bursts * Math.exp(-(((i - spread) / (spread || 1)) ** 2) * 3)) }));
    /** @type {PatternData} */
    const pattern = {
      filesystem: kind.filesystem, direction: kind.direction, verdict: 'valid', period: kind.period, period_error: kind.period * 0.0003, jitter: 0.021, burst_bytes: kind.bytes, throughput: kind.bytes / kind.length,
      peak: (kind.bytes / kind.length) * 1.1, footprint: kind.servers, coarse_bytes: kind.bytes * 1.04, burst_s: kind.length, io_share: kind.length / (kind.period - kind.length), confidence: 0.998 - 0.1 * k,
      shown: [...(shows[k] ?? '')].filter((letter) => letter === 'y').length, judged: [...(shows[k] ?? '')].filter((letter) => 'yn'.includes(letter)).length, bursts, first_seen: 1480550400, last_seen: 1483120000, used: 0.93,
      steady: 0.967, shuffled_steady: 0.081, log10_disorder: -503.2 / (k + 1), elsewhere: 0.012, log10_chance: -312.4 / (k + 1), scope_windows: 214, scope_hits: 3, steps: { width: 0.05, counts, over }, volume: volumeBins(before, after), servers,
    };
    return pattern;
  });
  const column = Math.max(...runs.map((run) => run.length)) / 720;
  const columnsOf = (/** @type {number[]} */ times) => [...new Set(times.map((t) => Math.floor(t / column)))];
  const chosen = Array.from({ length: 60 }, (_, i) => i * 4);
  const views = [['scratch', 'write'], ['home', 'read']].map(([filesystem, direction]) => {
    const has = kinds.map((kind) => kind.filesystem === filesystem && kind.direction === direction);
    /** @type {[number, number, number][]} */
    const points = [];
    for (let i = 0; i < 2000; i++) points.push([random.lognormal(30 * gib, 0.9), random.lognormal(0.4 * gib, 0.6), 0]);
    let own = 0;
    kinds.forEach((kind, k) => {
      const all = (starts[k] ?? []).flat();
      if (!has[k]) return;
      own += all.length;
      for (let i = 0; i < Math.min(1000, all.length); i++) {
        const more = random.uniform() < 0.15 ? random.lognormal(1.3, 0.15) : random.lognormal(1, 0.01);
        points.push([kind.bytes * more, (kind.bytes / kind.length) * random.lognormal(1, 0.02) * Math.sqrt(more), k + 1]);
      }
    });
    /** @type {View} */
    const view = {
      filesystem: filesystem ?? '', direction: direction === 'read' ? 'read' : 'write', scatter: { others: 11264, of_patterns: own, points },
      strips: {
        column, of: runs.length,
        runs: chosen.map((r) => ({
          job: runs[r]?.job ?? '', start: runs[r]?.start ?? null, length: runs[r]?.length ?? 1, shows: shows.map((letters) => letters[r]).join(''),
          columns: [columnsOf(others[r] ?? []), ...kinds.map((_, k) => (has[k] ? columnsOf(starts[k]?.[r] ?? []) : []))],
        })),
      },
    };
    return view;
  });
  const first = patterns[0];
  return page({
    state: 'validated', reason: `writes every 1812 s in ${first?.shown} of ${first?.judged} runs; 2 runs with times that cannot be were left out`, provisional: true, runs: 242, runs_left_out: 2, patterns, views,
    table: {
      job: [...runs.map((run) => run.job), '9001', '9002'], start: [...runs.map((run) => run.start), 1480000000, null], length: [...runs.map((run) => run.length), null, null],
      shows: shows.map((letters) => `${letters}xx`), bursts: starts.map((all) => [...all.map((times) => times.length), 0, 0]),
    },
  });
}

/** Pages with little on them. @returns {Record<string, ApplicationData>} */
export function littleApplications() {
  const whole = sampleApplication();
  const [pattern, view] = [/** @type {PatternData} */ (whole.patterns[1]), /** @type {View} */ (whole.views[0])];
  return {
    application_nothing_regular: page({ runs: 2, table: { job: ['1', '2'], start: [1480550400, 1480560400], length: [3600, 3600], shows: [], bursts: [] } }),
    application_no_runs: page({ user: '', name: '', nodes: 0, title: '//0', reason: 'no runs' }),
    application_impossible: page({ runs: 1, runs_left_out: 1, reason: 'no runs; 1 runs with times that cannot be were left out', table: { job: ['9001'], start: [null], length: [null], shows: [], bursts: [] } }),
    // No server could be told, no burst is left.
    application_no_servers: page({
      state: 'rejected', reason: 'writes every 604.2 s in 3 of 5 runs, but 50 % of the time without it shows as much', runs: 1,
      patterns: [{
        ...pattern, verdict: 'chance', burst_bytes: null, throughput: null, peak: null, footprint: null, coarse_bytes: null, first_seen: null, last_seen: null, log10_chance: -0.31, scope_windows: 0, scope_hits: 0,
        steps: { width: 0.05, counts: [0, 0], over: 0 }, volume: { bins: [], before: null, after: null, bursts: 0, untold: 9 }, servers: [],
      }],
      views: [{ ...view, scatter: { others: 0, of_patterns: 0, points: [] }, strips: { column: 0, of: 0, runs: [] } }],
      table: { job: ['1'], start: [1480550400], length: [3600], shows: ['n'], bursts: [[0]] },
    }),
  };
}
