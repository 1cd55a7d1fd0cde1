// Routes of a test in a line each, and a promise that a test fulfils.
import * as z from 'zod/mini';
import { json } from '../../../lib/contract/index.js';

export const EMPTY = json(z.object({}));
export const EVENTS = { kind: 'events', schema: z.object({}) } as const;

export function get<const Path extends string, const Response>(path: Path, response: Response) {
  return { method: 'GET', path, summary: '', response } as const;
}

export function post<const Path extends string, const Body, const Response>(
  path: Path,
  body: Body,
  response: Response,
) {
  return { method: 'POST', path, summary: '', body, response } as const;
}

export function createGate(): { opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  return { opened, open };
}
