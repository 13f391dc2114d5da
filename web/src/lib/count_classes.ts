// SPDX-License-Identifier: Apache-2.0
/** Colours of counts: a few classes that grow by a factor, so that one job and a thousand can both be seen. */

export interface CountClass {
  from: number;
  to: number; // included
  colour: string;
}

const shades = 7; // --ramp-0 ... --ramp-6 in theme.css

function bounds(most: number): number[] {
  if (most <= 7) return Array.from({ length: Math.max(1, most) }, (_, i) => i + 1);
  for (const steps of [[1, 2, 5], [1, 3], [1]]) {
    const found: number[] = [];
    for (let power = 1; power <= most; power *= 10) found.push(...steps.map((s) => s * power).filter((s) => s <= most));
    if (found.length <= shades) return found;
  }
  return Array.from({ length: shades }, (_, i) => 100 ** i).filter((s) => s <= most);
}

export function countClasses(most: number): CountClass[] {
  const starts = bounds(most);
  return starts.map((from, i) => ({
    from,
    to: (starts[i + 1] ?? most + 1) - 1,
    colour: `var(--ramp-${starts.length === 1 ? shades - 2 : Math.round((i * (shades - 1)) / (starts.length - 1))})`,
  }));
}

export const colourOf = (classes: CountClass[], count: number): string =>
  (classes.findLast((one) => one.from <= count) ?? classes[0])?.colour ?? 'none';
