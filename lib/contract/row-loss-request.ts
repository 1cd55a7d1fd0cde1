// What to ask of a job's rows, and how a URL says it. Without schemas, since pages in the browser ask.
import type { ROW_LOSS_SORTS } from './vocabulary.js';

/** What a client asks for. */
export interface RowLossRequest {
  sort?: (typeof ROW_LOSS_SORTS)[number] | undefined;
  rising?: boolean | undefined;
  step?: number | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** As the routes' query has it. */
export function toRowLossQuery({ sort, rising, step, limit, cursor }: RowLossRequest) {
  return {
    sort,
    rising: rising ? 'true' : undefined,
    step: step?.toString(),
    limit: limit?.toString(),
    cursor,
  };
}
