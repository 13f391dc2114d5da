// SPDX-License-Identifier: Apache-2.0
/** An answer of the server for a part of a page: asked again when what it depends on changes, the old one kept until the new one is there. */
import { get, Refused, type Query } from './api';

export interface Loaded<Answer> {
  readonly value: Answer | null;
  readonly problem: Refused | null;
  readonly busy: boolean; // and that for more than 150 ms
  again(): void;
}

export interface Question {
  where: string;
  query?: Query;
}

/**
 * Call while a component is set up. `ask` is read as an effect: every state that it uses asks anew. Null asks nothing.
 * `repeat`: seconds after which to ask again, by the answer; null: not.
 * `keep`: false drops the old answer at once (another job is another page).
 */
export function loaded<Answer>(ask: () => Question | null, options: { repeat?: (answer: Answer) => number | null; keep?: boolean } = {}): Loaded<Answer> {
  let value = $state.raw<Answer | null>(null);
  let problem = $state.raw<Refused | null>(null);
  let busy = $state(false);
  let attempt = $state(0);
  let last = '';

  $effect(() => {
    void attempt;
    const question = ask();
    const now = question?.where ?? '';
    if (options.keep === false && now !== last) value = null;
    last = now;
    if (!question) {
      value = null;
      return;
    }
    const abort = new AbortController();
    const slow = setTimeout(() => (busy = true), 150);
    let timer: ReturnType<typeof setTimeout> | undefined;
    get<Answer>(question.where, question.query, abort.signal)
      .then((answer) => {
        if (abort.signal.aborted) return;
        value = answer;
        problem = null;
        const seconds = options.repeat?.(answer) ?? null;
        if (seconds !== null) timer = setTimeout(() => attempt++, seconds * 1000);
      })
      .catch((error: unknown) => {
        if (!abort.signal.aborted) problem = error instanceof Refused ? error : new Refused(String(error), 'page', 0);
      })
      .finally(() => {
        clearTimeout(slow);
        if (!abort.signal.aborted) busy = false;
      });
    return () => {
      clearTimeout(slow);
      clearTimeout(timer);
      abort.abort();
    };
  });

  return {
    get value() {
      return value;
    },
    get problem() {
      return problem;
    },
    get busy() {
      return busy;
    },
    again: () => void attempt++,
  };
}
