// SPDX-License-Identifier: Apache-2.0
/** Server-sent events read by fetch: unlike EventSource it can send a token. Connects again by itself, without a word. */
import { request } from './api';

export interface ServerEvent {
  type: string;
  data: string;
}

/** Splits what has come so far into whole events, and what is left. */
export function eventsIn(text: string): { events: ServerEvent[]; rest: string } {
  const blocks = text.replaceAll('\r\n', '\n').split('\n\n');
  const rest = blocks.pop() ?? '';
  const events = blocks.flatMap((block) => {
    const fields = block.split('\n').map((line) => /^(event|data): ?(.*)$/.exec(line));
    const data = fields.flatMap((field) => (field?.[1] === 'data' ? [field[2] ?? ''] : []));
    const type = fields.findLast((field) => field?.[1] === 'event')?.[2] ?? 'message';
    return data.length === 0 ? [] : [{ type, data: data.join('\n') }];
  });
  return { events, rest };
}

async function readAll(where: string, signal: AbortSignal, heard: (event: ServerEvent) => void, open: () => void): Promise<void> {
  const response = await request(where, { signal, headers: { Accept: 'text/event-stream' } });
  const reader = response.body?.getReader();
  if (!reader) return;
  open();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const { events, rest } = eventsIn(text + decoder.decode(value, { stream: true }));
    text = rest;
    events.forEach(heard);
  }
}

/** Listens until told to stop. Waits longer after each failure: 1 s, 2 s, ... 30 s. */
export function listen(where: string, heard: (event: ServerEvent) => void, connected: (now: boolean) => void = () => {}): () => void {
  const stop = new AbortController();
  let wait = 1000;
  const run = async () => {
    while (!stop.signal.aborted) {
      try {
        await readAll(where, stop.signal, heard, () => {
          wait = 1000;
          connected(true);
        });
      } catch {
        // The next attempt may do better; a page that needs an answer says what is wrong.
      }
      connected(false);
      if (stop.signal.aborted) return;
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(30_000, wait * 2);
    }
  };
  void run();
  return () => stop.abort();
}
