// SPDX-License-Identifier: Apache-2.0
/** A figure as a file: its numbers as csv, its picture as svg or png. Colours are those of the screen. */
import type { Table } from '../lib/tables';

const quoted = (cell: string | number | null): string => (cell === null ? '' : typeof cell === 'number' ? String(cell) : /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

export const csvOf = (table: Table): string => [table.columns, ...table.rows].map((row) => row.map(quoted).join(',')).join('\r\n') + '\r\n';

/** "Bytes: read against written" becomes bytes-read-against-written. */
export const fileName = (title: string, ending: string): string => `${title.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 80) || 'figure'}.${ending}`;

export function save(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const styles = ['fill', 'fill-opacity', 'stroke', 'stroke-opacity', 'stroke-width', 'stroke-dasharray', 'stroke-linejoin', 'stroke-linecap', 'opacity', 'font-family', 'font-size', 'font-weight', 'text-anchor', 'paint-order', 'dominant-baseline', 'font-variant-numeric', 'visibility'];

/** A copy that needs no style sheet. */
function plainCopy(svg: SVGElement): SVGElement {
  const copy = svg.cloneNode(true) as SVGElement;
  const [from, to] = [[svg, ...svg.querySelectorAll<SVGElement>('*')], [copy, ...copy.querySelectorAll<SVGElement>('*')]];
  from.forEach((one, i) => {
    const shown = getComputedStyle(one);
    for (const name of styles) {
      const value = shown.getPropertyValue(name);
      if (value !== '') to[i]?.setAttribute(name, value);
    }
    to[i]?.removeAttribute('style');
    to[i]?.removeAttribute('class');
  });
  copy.querySelectorAll('style').forEach((style) => style.remove());
  return copy;
}

const name = 'http://www.w3.org/2000/svg';
function element(tag: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(name, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** Everything that is drawn in a figure where it stands: plots as they are, canvases as pictures, headings as words. */
export function pictureOf(figure: HTMLElement): { text: string; width: number; height: number } {
  const parts = [...figure.querySelectorAll<HTMLElement | SVGElement>('svg, canvas, h3, h4, .values span, .legend span, .legend li')].filter((one) => !one.closest('figcaption, button') && !one.parentElement?.closest('svg') && one.getBoundingClientRect().width > 0);
  const boxes = parts.map((one) => one.getBoundingClientRect());
  const [left, top] = [Math.min(...boxes.map((box) => box.left)) - 8, Math.min(...boxes.map((box) => box.top)) - 8];
  const [width, height] = [Math.ceil(Math.max(...boxes.map((box) => box.right)) - left + 8), Math.ceil(Math.max(...boxes.map((box) => box.bottom)) - top + 8)];
  const paper = getComputedStyle(document.body);
  const whole = element('svg', { xmlns: name, width, height, viewBox: `0 0 ${width} ${height}`, 'font-family': 'system-ui, sans-serif' });
  whole.append(element('rect', { width, height, fill: paper.backgroundColor }));
  parts.forEach((part, i) => {
    const box = boxes[i] ?? new DOMRect();
    const place = { x: box.left - left, y: box.top - top, width: box.width, height: box.height };
    if (part instanceof HTMLCanvasElement) whole.append(element('image', { ...place, href: part.toDataURL('image/png') }));
    else if (part instanceof SVGElement) {
      const copy = plainCopy(part);
      for (const [key, value] of Object.entries(place)) copy.setAttribute(key, String(value));
      copy.setAttribute('overflow', 'visible');
      whole.append(copy);
    } else {
      const shown = getComputedStyle(part);
      const words = element('text', { x: place.x, y: place.y + place.height * 0.75, fill: shown.color, 'font-size': shown.fontSize, 'font-weight': shown.fontWeight });
      words.textContent = part.innerText;
      if (part.children.length === 0 || part.matches('h3, h4, li')) whole.append(words);
    }
  });
  return { text: new XMLSerializer().serializeToString(whole), width, height };
}

/** Twice as fine as the screen's pixels: for slides. */
export async function pngOf(figure: HTMLElement): Promise<Blob> {
  const { text, width, height } = pictureOf(figure);
  const address = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    const picture = new Image();
    await new Promise((resolve, reject) => {
      picture.onload = resolve;
      picture.onerror = () => reject(new Error('the picture cannot be drawn'));
      picture.src = address;
    });
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width * 2, height * 2];
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture cannot be written'))), 'image/png'));
  } finally {
    URL.revokeObjectURL(address);
  }
}
