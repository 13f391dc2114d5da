// SPDX-License-Identifier: Apache-2.0
/** Asks the server. What it answers is in lib/api.ts. */
import type { Failure } from '../lib/api';
import { askForToken, token } from './token.svelte';

const base = '/api/v1';

export type Query = Record<string, string | number | null | undefined | string[]>;

/** What the server said instead of an answer. */
export class Refused extends Error {
  constructor(message: string, readonly kind: string, readonly status: number) {
    super(message);
  }
}

/** Parts of a path, each encoded: path('stores', id, 'jobs'). */
export const path = (...parts: string[]): string => `/${parts.map(encodeURIComponent).join('/')}`;

export function withQuery(where: string, query: Query): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const one of value) parameters.append(key, one);
    else if (value !== null && value !== undefined && value !== '') parameters.set(key, String(value));
  }
  const text = parameters.toString();
  return text === '' ? where : `${where}?${text}`;
}

async function refusal(response: Response): Promise<Refused> {
  const said = `The server answered ${response.status}${response.statusText ? ` (${response.statusText})` : ''}.`;
  try {
    const { error } = (await response.json()) as Failure;
    return new Refused(error.message || said, error.kind, response.status);
  } catch {
    return new Refused(said, 'http', response.status);
  }
}

/** A response, after asking for a token where one is needed. */
export async function request(where: string, options: RequestInit = {}): Promise<Response> {
  for (;;) {
    const used = token();
    const headers = { Accept: 'application/json', ...options.headers, ...(used === null ? {} : { Authorization: `Bearer ${used}` }) };
    let response: Response;
    try {
      response = await fetch(base + where, { ...options, headers, credentials: 'same-origin' });
    } catch (error) {
      if (options.signal?.aborted) throw error;
      throw new Refused('The server does not answer. Is `fathom serve` still running?', 'network', 0);
    }
    if (response.status === 401) await askForToken(used);
    else if (!response.ok) throw await refusal(response);
    else return response;
  }
}

export async function get<Answer>(where: string, query: Query = {}, signal?: AbortSignal): Promise<Answer> {
  return (await (await request(withQuery(where, query), signal ? { signal } : {})).json()) as Answer;
}

export async function post<Answer>(where: string, body: unknown, signal?: AbortSignal): Promise<Answer> {
  const options = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body), ...(signal ? { signal } : {}) };
  return (await (await request(where, options)).json()) as Answer;
}

export const remove = async (where: string): Promise<void> => void (await request(where, { method: 'DELETE' }));
