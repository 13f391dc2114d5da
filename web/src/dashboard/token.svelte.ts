// SPDX-License-Identifier: Apache-2.0
/** The token of a server that asks for one. It stays in this tab (sessionStorage) and is never part of an address. */

const key = 'fathom-token';

let asked = $state(false);
let refused = $state(false); // the last one was not accepted
let waiting: { promise: Promise<void>; done: () => void } | null = null;

export const tokenState = {
  get asked(): boolean {
    return asked;
  },
  get refused(): boolean {
    return refused;
  },
};

export const token = (): string | null => sessionStorage.getItem(key);

/** Opens the dialog; ends when there is a token to try. All requests wait for the same one. */
export function askForToken(tried: string | null): Promise<void> {
  if (token() !== tried && token() !== null) return Promise.resolve(); // somebody else was answered meanwhile
  refused = tried !== null;
  if (!waiting) {
    let done = () => {};
    const promise = new Promise<void>((resolve) => (done = resolve));
    waiting = { promise, done };
  }
  asked = true;
  return waiting.promise;
}

export function giveToken(text: string): void {
  sessionStorage.setItem(key, text.trim());
  asked = false;
  waiting?.done();
  waiting = null;
}
