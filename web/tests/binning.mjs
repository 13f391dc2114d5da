// SPDX-License-Identifier: Apache-2.0
/** Axes and hexagons of the sample data, binned as the program bins them. */

/** @typedef {import('../src/lib/data').Axis} Axis */
/** @typedef {import('../src/lib/data').Pair} Pair */

/** @param {(number | null)[]} values */
const known = (values) => /** @type {number[]} */ (values.filter((v) => v !== null));

/** @param {number[]} values @param {number} bins @param {'log' | 'linear'} scale @param {boolean} fraction */
function histogramOf(values, bins, scale, fraction) {
  if (values.length === 0) return [];
  const to = scale === 'log' ? Math.log10 : (/** @type {number} */ v) => v;
  const from = scale === 'log' ? (/** @type {number} */ u) => 10 ** u : (/** @type {number} */ u) => u;
  const us = values.map(to);
  let low = fraction ? 0 : Math.min(...us);
  let high = fraction ? 1 : Math.max(...us);
  if (scale === 'log') [low, high] = [Math.floor(low * 5) / 5, Math.floor(high * 5) / 5 + 0.2];
  if (high <= low) high = low + 1;
  const width = scale === 'log' ? 0.2 : (high - low) / bins;
  const count = Math.round((high - low) / width);
  const counts = new Array(count).fill(0);
  for (const u of us) counts[Math.min(count - 1, Math.floor((u - low) / width))]++;
  return counts.map((c, i) => ({ from: from(low + i * width), to: from(low + (i + 1) * width), count: c }));
}

/**
 * @param {string} label @param {Axis['unit']} unit @param {Axis['scale']} scale @param {(number | null)[]} all
 * @returns {Axis}
 */
export function axisOf(label, unit, scale, all) {
  const sorted = known(all).sort((a, b) => a - b);
  const n = sorted.length;
  const drawn = scale === 'log' ? sorted.filter((v) => v > 0) : sorted;
  const sum = sorted.reduce((a, b) => a + b, 0);
  /** @param {number} q */
  const quantile = (q) => (n ? (sorted[Math.max(0, Math.ceil(q * n) - 1)] ?? null) : null);
  const top = sorted.slice(n - Math.ceil(0.2 * n)).reduce((a, b) => a + b, 0);
  /** @type {[number, number][]} */
  const cdf = [];
  const points = Math.min(200, drawn.length);
  for (let i = 0; i < points; i++) {
    const k = Math.floor(((i + 1) * drawn.length) / points) - 1;
    cdf.push([drawn[k] ?? 0, (n - drawn.length + k + 1) / n]);
  }
  return {
    label, unit, scale, n,
    zeros: n - drawn.length,
    min: sorted[0] ?? null,
    max: sorted[n - 1] ?? null,
    mean: n ? sum / n : null,
    median: quantile(0.5),
    p80: quantile(0.8),
    top20_share: sum > 0 ? top / sum : null,
    histogram: histogramOf(drawn, 25, scale, unit === 'fraction'),
    cdf,
  };
}

/**
 * Hexagons that stand on a corner; see data.ts.
 * @param {Axis} x @param {Axis} y @param {(number | null)[]} xs @param {(number | null)[]} ys
 * @returns {Pick<Pair, 'hexagons' | 'hex_radius'>}
 */
export function hexagonsOf(x, y, xs, ys) {
  /** @param {Axis} axis */
  const radius = (axis) => (axis.scale === 'log' ? 0.14 : axis.unit === 'fraction' ? 0.02 : Math.max(1, axis.max ?? 1) / 50);
  const [rx, ry] = [radius(x), radius(y)];
  const dx = Math.sqrt(3) * rx;
  const dy = 1.5 * ry;
  /** @param {Axis} axis @param {number} v */
  const place = (axis, v) => (axis.scale === 'log' ? Math.log10(v) : v);
  /** @param {Axis} axis @param {number} u */
  const value = (axis, u) => (axis.scale === 'log' ? 10 ** u : u);
  /** @type {Map<string, [number, number, number]>} */
  const found = new Map();
  xs.forEach((xv, i) => {
    const yv = ys[i];
    if (xv == null || yv == null || (x.scale === 'log' && xv <= 0) || (y.scale === 'log' && yv <= 0)) return;
    const [u, v] = [place(x, xv), place(y, yv)];
    let best = [0, 0];
    let nearest = Infinity;
    const row = Math.round(v / dy);
    for (const r of [row - 1, row, row + 1]) {
      const shift = r & 1 ? 0.5 : 0;
      const c = Math.round(u / dx - shift) + shift;
      const distance = ((u - c * dx) / rx) ** 2 + ((v - r * dy) / ry) ** 2;
      if (distance < nearest) [nearest, best] = [distance, [c * dx, r * dy]];
    }
    const key = best.join();
    const cell = found.get(key) ?? [value(x, best[0] ?? 0), value(y, best[1] ?? 0), 0];
    cell[2]++;
    found.set(key, cell);
  });
  return { hexagons: [...found.values()], hex_radius: [rx, ry] };
}
