// The cloud's base model, which it tells without an identity or a project.
import type { ServedModel } from '../../../lib/contract/index.js';
import { POLL_MS, useFetched } from './fetched.js';

/** Null until it is known. */
export function useBaseModel(): ServedModel | null {
  const { value } = useFetched('base model', ({ client, signal }) => client.getBaseModel({ signal }), {
    everyMs: POLL_MS,
  });
  return value?.baseModel ?? null;
}
