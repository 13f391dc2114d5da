// SPDX-License-Identifier: Apache-2.0
/** Made-up answers about traces: a small MPI program whose writes are sieved, one with many ranks, and runs side by side. */
import { makeRandom } from './random.mjs';
import { sampleSlices } from './sample_slices.mjs';

/** @typedef {import('../src/lib/api').TraceCall} TraceCall */
/** @typedef {import('../src/lib/api').TraceEntry} TraceEntry */
/** @typedef {import('../src/lib/api').CallKind} CallKind */

/** @type {CallKind[]} */
const kinds = ['read', 'write', 'metadata', 'sync', 'lock'];
const MiB = 1024 ** 2;

/** Every rank writes a few blocks, each in cycles of lock, read, write, unlock (RIOT Fig. 6). @param {number} ranks @param {number} writes @param {number} length */
function madeCalls(ranks, writes, length) {
  const random = makeRandom(ranks);
  /** @type {(Omit<TraceCall, 'row' | 'parent'> & { inside: number | null, key: number })[]} */
  const calls = [];
  const file = '/scratch/flash/checkpoint_0001.h5';
  /** @param {number} rank @param {number | null} inside @param {string} call @param {CallKind} kind @param {number} start @param {number} end @param {number | null} offset @param {number | null} bytes */
  const add = (rank, inside, call, kind, start, end, offset = null, bytes = null) => {
    calls.push({ key: calls.length, inside, rank, thread: 0, interface: call.startsWith('MPI') ? 'mpiio' : 'posix', call, kind, file, offset, bytes, start, end, result: bytes ?? 0, depth: inside === null ? 0 : 1 });
    return calls.length - 1;
  };
  for (let rank = 0; rank < ranks; rank++) {
    const opened = add(rank, null, 'MPI_File_open', 'metadata', 0.02 * length, 0.04 * length + random.uniform() * 0.002 * length);
    add(rank, opened, 'open', 'metadata', 0.021 * length, 0.03 * length);
    for (let i = 0; i < writes; i++) {
      const start = (0.06 + (0.9 * i) / writes) * length + random.uniform() * 0.004 * length;
      const took = (0.4 / writes) * length * (1 + 0.3 * random.uniform());
      const offset = (i * ranks + rank) * 2.5 * MiB;
      const around = add(rank, null, 'MPI_File_write_at', 'write', start, start + took, offset, 2.5 * MiB);
      const step = took / 5.2;
      for (let c = 0; c < 5; c++) {
        const at = start + c * step + 0.02 * step;
        const [a, b] = [offset + c * 0.5 * MiB, 0.5 * MiB];
        add(rank, around, 'fcntl.lock', 'lock', at, at + 0.2 * step);
        if (rank < ranks - 1) add(rank, around, 'pread', 'read', at + 0.22 * step, at + 0.5 * step, a, b);
        add(rank, around, 'pwrite', 'write', at + 0.52 * step, at + 0.85 * step, a, b);
        add(rank, around, 'fcntl.unlock', 'lock', at + 0.87 * step, at + 0.95 * step);
      }
    }
    const closed = add(rank, null, 'MPI_File_close', 'metadata', 0.97 * length, 0.99 * length);
    add(rank, closed, 'fsync', 'sync', 0.972 * length, 0.985 * length);
  }
  const order = [...calls].sort((a, b) => a.start - b.start || a.depth - b.depth);
  const rows = new Map(order.map((one, row) => [one.key, row]));
  return order.map(({ inside, key, ...one }, row) => ({ ...one, row, parent: inside === null ? null : (rows.get(inside) ?? null) }));
}

/** @type {Record<string, { ranks: number, length: number, calls: TraceCall[] }>} */
const runs = { flash: { ranks: 8, length: 12.5, calls: madeCalls(8, 20, 12.5) }, 'turb-a': { ranks: 512, length: 420, calls: madeCalls(512, 6, 420) } };
const t0 = 1_365_500_000;

/** @type {TraceEntry[]} */
export const moreTraces = [
  { id: 'flash', name: 'flash-8', problem: null, start: t0, end: t0 + 12.5, ranks: 8, events: runs['flash']?.calls.length ?? 0, has_calls: true, has_slices: false, program: 'flash_io', job: '' },
  { id: 'small', name: 'small', problem: null, start: t0 + 17, end: t0 + 760, ranks: 12, events: null, has_calls: false, has_slices: true, program: 'small', job: '4001' },
  { id: 'large', name: 'large', problem: null, start: t0 + 221, end: t0 + 511, ranks: 60, events: null, has_calls: false, has_slices: true, program: 'large', job: '4002' },
  { id: 'small-alone', name: 'small-alone', problem: null, start: t0 + 90_000, end: t0 + 90_480, ranks: 12, events: null, has_calls: false, has_slices: true, program: 'small', job: '4007' },
];

/** @param {TraceEntry} trace @returns {import('../src/lib/api').TraceInfo} */
export function traceInfo(trace) {
  const run = runs[trace.id];
  const totals = { calls: 4200, read_calls: 700, read_bytes: 350 * MiB, read_seconds: 12.2, write_calls: 800, write_bytes: 400 * MiB, write_seconds: 14.8, opens: 8, closes: 8, lock_calls: 800, unlock_calls: 800, seeks: 0, syncs: 8, failed_calls: 0, seconds: 33.1 };
  return {
    ...trace, command: `${trace.program} --checkpoint 1`, processes: trace.ranks + 1, mpi: true, clock_drift: 0, notes: trace.id === 'flash' ? [] : ['1 process did not end well'], prepared: { ready: true, done: 1, problem: null }, interfaces: run ? ['posix', 'mpiio'] : [], exact: true,
    summary: run
      ? { ranks: run.ranks, hosts: 1, processes: run.ranks + 1, killed: 0, files: 1, events: run.calls.length, start: trace.start ?? 0, duration: run.length, interfaces: { posix: totals, mpiio: { ...totals, calls: 176, read_calls: 0, read_bytes: 0, read_seconds: 0, write_calls: 160, lock_calls: 0, unlock_calls: 0 } },
          perceived_bw: { interface: 'mpiio', read: null, write: 120 * MiB }, effective_bw: { posix: { read: 28 * MiB, write: 27 * MiB }, mpiio: { read: null, write: 15 * MiB } }, clock_drift: 0, notes: [], troubles: [] }
      : null,
  };
}

/** @param {URLSearchParams} query @param {number} length @returns {[number, number]} */
const windowOf = (query, length) => [Number(query.get('from') ?? 0), Number(query.get('to') ?? length)];

/** @param {string} id @param {URLSearchParams} query @returns {import('../src/lib/api').TraceMap | null} */
export function traceMap(id, query) {
  const run = runs[id];
  if (!run) return null;
  const [from, to] = windowOf(query, run.length);
  const columns = Number(query.get('columns') ?? 300);
  const each = Math.ceil(run.ranks / Number(query.get('rows') ?? 64));
  const rows = Math.ceil(run.ranks / each);
  const layer = query.get('interface') ?? 'mpiio';
  const step = (to - from) / columns;
  const time = new Float64Array(rows * columns * kinds.length);
  const inside = run.calls.filter((one) => one.end > from && one.start < to);
  for (const one of inside.filter((call) => call.interface === layer)) {
    for (let c = Math.max(0, Math.floor((one.start - from) / step)); c < columns && from + c * step < one.end; c++) {
      const i = (Math.floor(one.rank / each) * columns + c) * kinds.length + kinds.indexOf(one.kind);
      time[i] = (time[i] ?? 0) + Math.max(0, Math.min(one.end, from + (c + 1) * step) - Math.max(one.start, from + c * step));
    }
  }
  const cells = Buffer.from(Array.from(time, (value) => (value === 0 ? 0 : Math.max(1, Math.min(255, Math.round((255 * value) / (step * each)))))));
  return {
    t0: from, step, columns, interface: layer === 'posix' ? 'posix' : 'mpiio', interfaces: ['posix', 'mpiio'], kinds, cells: cells.toString('base64'), calls: inside.length, exact: true,
    rows: Array.from({ length: rows }, (_, r) => ({ name: each === 1 ? `rank ${r}` : `ranks ${r * each} to ${Math.min(run.ranks, (r + 1) * each) - 1}`, ranks: each, first: r * each })),
  };
}

/** @param {string} id @param {URLSearchParams} query @returns {import('../src/lib/api').TraceCalls | null} */
function traceCalls(id, query) {
  const run = runs[id];
  if (!run) return null;
  const [from, to] = windowOf(query, run.length);
  const parent = query.get('parent');
  const found = run.calls.filter((one) => one.end > from && one.start < to && (parent === null || one.parent === Number(parent)));
  const longest = [...found].sort((a, b) => b.end - b.start - (a.end - a.start)).slice(0, Number(query.get('limit') ?? 1000));
  return { total: found.length, calls: longest.sort((a, b) => a.row - b.row) };
}

/** As the real server does: of each column the most of each. @param {import('../src/lib/api').Concurrency['steps']} steps @param {number} from @param {number} to @param {number} columns */
function thinned(steps, from, to, columns) {
  const width = (to - from) / columns;
  const most = Array.from({ length: columns }, (_, i) => /** @type {[number, number, number, number]} */ ([from + i * width, 0, 0, 0]));
  steps.forEach(([time, ...levels], i) => {
    const last = Math.ceil(((steps[i + 1]?.[0] ?? to) - from) / width);
    for (let c = Math.max(0, Math.floor((time - from) / width)); c < Math.min(columns, last); c++) {
      const column = most[c];
      if (column) levels.forEach((level, k) => { column[k + 1] = Math.max(column[k + 1] ?? 0, level); });
    }
  });
  return most;
}

/** @param {string} id @param {URLSearchParams} query @returns {import('../src/lib/api').Concurrency | null} */
function concurrency(id, query) {
  const run = runs[id];
  if (!run) return null;
  const [from, to] = windowOf(query, run.length);
  const moves = run.calls.filter((one) => one.interface === 'posix' && (one.kind === 'read' || one.kind === 'write') && one.end > from && one.start < to);
  const changes = moves.flatMap((one) => [{ time: Math.max(from, one.start), kind: one.kind, by: 1 }, { time: Math.min(to, one.end), kind: one.kind, by: -1 }]).sort((a, b) => a.time - b.time || a.by - b.by);
  let [reads, writes, largest] = [0, 0, 0];
  /** @type {import('../src/lib/api').Concurrency['steps']} */
  const steps = [[from, 0, 0, 0]];
  for (const change of changes) {
    if (change.kind === 'read') reads += change.by;
    else writes += change.by;
    largest = Math.max(largest, reads + writes);
    steps.push([change.time, reads, writes, reads + writes]);
  }
  const columns = Number(query.get('columns') ?? 1000);
  const exact = steps.length <= columns;
  const row = { file: null, calls: moves.length, most_at_once: largest, mean_at_once: 2.1, time: 10, busy: 5, overlapping_calls: 400, groups: 100, waited: 1.1 };
  return { interface: 'posix', from, to, steps: exact ? steps : thinned(steps, from, to, columns), exact, share: [0.6, 0.2, 0.1, 0.1], largest, total: 2, rows: [{ ...row, direction: 'read', serialisation: 0.12, served_at_once: 4.2 }, { ...row, direction: 'write', serialisation: 0.81, served_at_once: 1.3 }] };
}

/** @param {string} call @param {number} calls @param {number} bytes @param {number} time @param {number[]} shares */
function decomposed(call, calls, bytes, time, [read = 0, write = 0, lock = 0, unlock = 0, other = 0]) {
  const waiting = 1 - read - write - lock - unlock - other;
  return {
    call, calls, bytes, time, read_share: read, write_share: write, lock_share: lock, unlock_share: unlock, other_share: other, waiting_share: waiting, read_time: read * time, write_time: write * time, lock_time: lock * time, unlock_time: unlock * time,
    other_time: other * time, waiting_time: waiting * time, read_calls: 700, write_calls: 800, lock_calls: 800, unlock_calls: 800, other_calls: 16,
  };
}

/** @param {string} id @param {string} what @param {URLSearchParams} query @returns {unknown} */
export function tracePart(id, what, query) {
  if (what === 'map') return traceMap(id, query);
  if (what === 'calls') return traceCalls(id, query);
  if (what === 'concurrency') return concurrency(id, query);
  const row = { ranks: 8, perceived_at: 'mpiio', span: 32 * MiB, hdf5_calls: 0, hdf5_bytes: 0, pnetcdf_calls: 0, pnetcdf_bytes: 0, effective_hdf5: null, effective_pnetcdf: null };
  /** @type {Record<string, unknown>} */
  const answers = {
    decomposition: { total: 5, rows: [decomposed('read', 0, 0, 0, []), decomposed('write', 160, 400 * MiB, 26.4, [0.24, 0.31, 0.19, 0.08, 0.01]), decomposed('read+write', 160, 400 * MiB, 26.4, [0.24, 0.31, 0.19, 0.08, 0.01]), decomposed('all', 176, 400 * MiB, 28.9, [0.22, 0.29, 0.17, 0.07, 0.06]), decomposed('MPI_File_write_at', 160, 400 * MiB, 26.4, [0.24, 0.31, 0.19, 0.08, 0.01])] },
    bandwidth: { total: 2, rows: [null, '/scratch/flash/checkpoint_0001.h5'].map((file) => ({ ...row, file, direction: 'write', perceived: 120 * MiB, mpiio_calls: 160, mpiio_bytes: 400 * MiB, mpiio_time: 26.4, effective_mpiio: 15 * MiB, posix_calls: 800, posix_bytes: 400 * MiB, posix_time: 8.2, effective_posix: 27 * MiB, posix_while_busy: 80 * MiB, lower_bound: 'does not hold', upper_bound: 'holds' })) },
    findings: { total: 2, rows: [
      { finding: 'data_sieving', severity: 'high', file: '/scratch/flash/checkpoint_0001.h5', calls: 160, bytes: 400 * MiB, share_of_time: 0.62, what: 'Writes read, change and write back whole ranges of the file (data sieving).', evidence: '160 of 160 MPI-IO writes, 5 cycles each; 750 MiB moved for 400 MiB', advice: 'Turn data sieving of writes off, or write collectively.', hint: 'romio_ds_write=disable', where: 'MPI_Info given to MPI_File_open' },
      { finding: 'shared_file_contention', severity: 'medium', file: null, calls: 800, bytes: 400 * MiB, share_of_time: 0.2, what: 'Ranks queue for a shared file.', evidence: 'serialisation 0.81 of 800 writes', advice: 'Let fewer ranks write: collective buffering.', hint: null, where: 'the program' }] },
    files: { total: 1, rows: [{ file: '/scratch/flash/checkpoint_0001.h5', kind: 'regular', ranks: 8, opens: 8, read_calls: 700, read_bytes: 350 * MiB, write_calls: 800, write_bytes: 400 * MiB, lock_calls: 1600, other_calls: 8, first: t0, last: t0 + 12, hints: 'romio_ds_write=automatic' }] },
  };
  return runs[id] ? (answers[what] ?? null) : null;
}

/** @param {URLSearchParams} query @returns {import('../src/lib/api').CompeteAnswer} */
export function compete(query) {
  const slices = sampleSlices();
  const alone = query.getAll('alone').length;
  const begin = slices.overlap?.[0] ?? 0;
  const row = { processes: 12, active_processes: 12, nodes: 1, start: t0, end: t0 + 700, bytes: 50e9, throughput: 70 * MiB, ratio: 1, overlap: 280, active_overlap: 224, overlap_bytes: 4e9, overlap_throughput: 19 * MiB, overlap_ratio: 1, share: 0.186, process_share: 12 / 72, node_share: 1 / 6, spread: 0.03, start_up: 24, io_phase: 696, ending: 20,
    standalone: alone > 0 ? 465 : null, slowdown: alone > 0 ? 1.5 : null, predicted: alone > 1 ? 671 : null, relative_error: alone > 1 ? -0.036 : null, inferred_standalone: 502, inferred_relative_error: alone > 0 ? 0.08 : null };
  return {
    traces: query.getAll('trace').map((trace, i) => ({ trace, application: slices.applications[i]?.label ?? trace })), slices, model: alone > 1 ? 'predicted' : 'inferred',
    courses: [{ application: 'small', steps: [[slices.t0 + 40, begin, 92 * MiB], [begin, begin + 232, 16 * MiB], [begin + 232, slices.t0 + 736, 92 * MiB]] }, { application: 'large', steps: [[begin, begin + 232, 82 * MiB]] }],
    competition: {
      direction: 'write', trim: query.get('trim') === '1', slice_length: 4, overlap: { length: 290, parts: [{ start: t0 + 221, length: 290 }] }, active_overlap: { slices: 56, length: 224, first_slice: 1, start: begin }, spread: 0.11,
      fairness: { nearer: 'process', why_not: null, process_distance: 0.039, node_distance: 0.052, slices: 50 }, share: 'process', pairs: [], notices: [],
      applications: [{ ...row, application: 'small' }, { ...row, application: 'large', processes: 60, active_processes: 60, nodes: 5, overlap_throughput: 83 * MiB, overlap_ratio: 4.37, ratio: 1.2, share: 0.814, process_share: 60 / 72, node_share: 5 / 6, io_phase: 232, standalone: alone > 1 ? 190 : null, inferred_standalone: 193 }],
    },
  };
}
