// SPDX-License-Identifier: Apache-2.0
/**
 * What may scroll can be reached by keys too: an attachment for the element that scrolls. Always, since whether there is more in it than fits depends on the fonts of the machine
 * and changes with what is loaded. It is a group, not a region: the card around it is the landmark, often of the same name.
 */
export function reachable(label: string) {
  return (place: HTMLElement) => {
    for (const [name, value] of Object.entries({ tabindex: '0', role: 'group', 'aria-label': label })) place.setAttribute(name, value);
  };
}
