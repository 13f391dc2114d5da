// SPDX-License-Identifier: Apache-2.0
/** Keys: ? for help, / to search, g and a letter to go to a page. Not while somebody types. */

interface Actions {
  help: () => void;
  search: () => void;
  page: (key: string) => void;
}

export function shortcuts(actions: Actions): (event: KeyboardEvent) => void {
  let wentAt = -Infinity; // when g was pressed
  return (event) => {
    const target = event.target;
    const types = target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'SELECT', 'TEXTAREA'].includes(target.tagName));
    if (types || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (event.timeStamp - wentAt < 1500) {
      wentAt = -Infinity;
      actions.page(event.key);
    } else if (event.key === '?') actions.help();
    else if (event.key === '/') {
      event.preventDefault();
      actions.search();
    } else if (event.key === 'g') wentAt = event.timeStamp;
  };
}
