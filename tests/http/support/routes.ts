// Routes of a test in a line each, and a promise that a test fulfils.
import * as z from 'zod/mini';
import { json } from '../../../lib/contract/index.js';

export const EMPTY = json(z.object({}));
export const EVENTS = { kind: 'events', schema: z.object({}) } as const;

export function get<const Path extends string, const Answer>(path: Path, answer: Answer) {
  return { method: 'GET', path, summary: '', answer } as const;
}

export function post<const Path extends string, const Body, const Answer>(
  path: Path,
  body: Body,
  answer: Answer,
) {
  return { method: 'POST', path, summary: '', body, answer } as const;
}

export function createGate(): { opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  return { opened, open };
}
