// SPDX-License-Identifier: Apache-2.0
/** Random numbers that are the same in every run. */

/** @param {number} seed */
export function makeRandom(seed) {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 15), z | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return ((z ^ (z >>> 14)) >>> 0) / 4294967296;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return {
    uniform,
    normal,
    /** @param {number} median @param {number} decades */
    lognormal: (median, decades) => median * 10 ** (decades * normal()),
    /** @template T @param {T[]} list @returns {T} */
    pick: (list) => /** @type {T} */ (list[Math.floor(uniform() * list.length)]),
  };
}
