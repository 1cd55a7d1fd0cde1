// Which kept requests to list, and how a URL says it. Without schemas, since pages in the browser ask.
import type { KeptMark } from './vocabulary.js';

/** What a client asks for. */
export interface KeptRequestFilter {
  /** Only answers with this mark, or those without one. */
  mark?: KeptMark | 'none' | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** As the routes' query has it. */
export function toKeptRequestQuery({ mark, limit, cursor }: KeptRequestFilter) {
  return { mark, limit: limit?.toString(), cursor };
}
