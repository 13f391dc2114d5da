// SPDX-License-Identifier: Apache-2.0
/** Request sizes as an axis, so that they are drawn like every other distribution. */
import type { Axis, SizeBin } from '../lib/data';

/** The largest size of the bins that hold a share of the requests: an upper bound, as only bins are known. */
function sizeAt(bins: SizeBin[], total: number, share: number): number | null {
  let sum = 0;
  for (const bin of bins) {
    sum += bin.ops;
    if (sum >= share * total * (1 - 1e-12)) return bin.to;
  }
  return null;
}

export function sizeAxis(label: string, given: SizeBin[]): Axis {
  const bins = given.filter((bin) => bin.ops > 0 && bin.to > 0).sort((a, b) => a.from - b.from);
  const total = bins.reduce((sum, bin) => sum + bin.ops, 0);
  let sum = 0;
  return {
    label, unit: 'bytes', scale: 'log', n: total, zeros: 0,
    min: null, max: null, mean: null, top20_share: null,
    median: sizeAt(bins, total, 0.5),
    p80: sizeAt(bins, total, 0.8),
    // A bin that begins at 0 has no left edge on a log axis: it is drawn one doubling wide.
    histogram: bins.map((bin) => ({ from: bin.from > 0 ? bin.from : bin.to / 2, to: bin.to, count: bin.ops })),
    cdf: bins.map((bin) => [bin.to, (sum += bin.ops) / total]),
  };
}
