// SPDX-License-Identifier: Apache-2.0
/**
 * What scrolls can be reached by keys too, where there is more in it than fits: an attachment for the element that scrolls around its one child.
 * It is a group, not a region: the card around it is the landmark, often of the same name, and whether there is more than fits depends on the fonts of the machine.
 */
export function reachable(label: string) {
  return (place: HTMLElement) => {
    const look = () => {
      const more = place.scrollWidth > place.clientWidth || place.scrollHeight > place.clientHeight;
      for (const [name, value] of Object.entries({ tabindex: '0', role: 'group', 'aria-label': label })) more ? place.setAttribute(name, value) : place.removeAttribute(name);
    };
    const observer = new ResizeObserver(look);
    observer.observe(place);
    for (const child of place.children) observer.observe(child); // it may grow where its frame does not
    return () => observer.disconnect();
  };
}
