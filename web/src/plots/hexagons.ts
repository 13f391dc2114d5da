// SPDX-License-Identifier: Apache-2.0
/** Hexagons of a read-against-write plot as a mark of Observable Plot. */
import type { RenderFunction } from '@observablehq/plot';
import { position, valueAt, type Scale } from '../lib/axis';
import { colourOf, type CountClass } from '../lib/count_classes';
import type { Pair } from '../lib/data';
import { count, written } from '../lib/units';

const svg = 'http://www.w3.org/2000/svg';
const corners = [0, 60, 120, 180, 240, 300].map((degrees) => (degrees * Math.PI) / 180);

type ToPixels = (value: number) => number;

/** The outline, see hex_radius in data.ts: a corner points up. */
function outline(pair: Pair, x: number, y: number, toX: ToPixels, toY: ToPixels): string {
  const [rx, ry] = pair.hex_radius;
  const along = (value: number, shift: number, scale: Scale) => valueAt(position(value, scale) + shift, scale);
  const points = corners.map((angle) => {
    const px = toX(along(x, rx * Math.sin(angle), pair.x.scale));
    const py = toY(along(y, ry * Math.cos(angle), pair.y.scale));
    return `${px.toFixed(1)},${py.toFixed(1)}`;
  });
  return `M${points.join('L')}Z`;
}

export function hexagonMark(pair: Pair, classes: CountClass[]): RenderFunction {
  return (_index, scales) => {
    const group = document.createElementNS(svg, 'g');
    group.setAttribute('class', 'hexagons');
    const toX = scales.x as unknown as ToPixels;
    const toY = scales.y as unknown as ToPixels;
    for (const [x, y, jobs] of pair.hexagons) {
      const path = document.createElementNS(svg, 'path');
      path.setAttribute('d', outline(pair, x, y, toX, toY));
      path.setAttribute('fill', colourOf(classes, jobs));
      const title = document.createElementNS(svg, 'title');
      title.textContent = `${count(jobs)} ${jobs === 1 ? 'job' : 'jobs'}: ${pair.x.label} about ${written(x, pair.x.unit)}, ${pair.y.label} about ${written(y, pair.y.unit)}`;
      path.append(title);
      group.append(path);
    }
    return group;
  };
}

/** What hexagons reach beyond their centres, for the range of the axes. */
export function reach(pair: Pair, which: 'x' | 'y'): number[] {
  const scale = pair[which].scale;
  const radius = pair.hex_radius[which === 'x' ? 0 : 1];
  const index = which === 'x' ? 0 : 1;
  return pair.hexagons.flatMap((hexagon) => [-radius, radius].map((shift) => valueAt(position(hexagon[index], scale) + shift, scale)));
}
