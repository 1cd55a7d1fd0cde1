// Lists in OpenAI's format: their queries and pages.
import { ApiError, parseRequest, type Schema, type Shape } from '../../contract/index.js';

interface Page<Item> {
  object: 'list';
  data: Item[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
}

/** A list in OpenAI's format with up to `limit` items; one item more in `found` means that there is another page. */
export function toPage<Item extends { id: string }>(found: readonly Item[], limit: number): Page<Item> {
  const data = found.slice(0, limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: found.length > limit,
  };
}

interface Window {
  limit?: number | undefined;
  order?: 'asc' | 'desc' | undefined;
  after?: string | undefined;
}

const USUAL_LIMIT = 20;

/** The item before one that was removed, when it was: null if it was the first, undefined if it was never there. */
type BeforeRemoved = (id: string) => string | null | undefined;

/** A page of a whole list, the oldest item first; the newest comes first unless the order says otherwise. */
export function pageOf<Item extends { id: string }>(
  all: readonly Item[],
  { limit = USUAL_LIMIT, order = 'desc', after }: Window,
  beforeRemoved?: BeforeRemoved,
): Page<Item> {
  const [older, newer] = after === undefined ? [all.length, 0] : split(all, after, beforeRemoved);
  const following = order === 'asc' ? all.slice(newer) : all.slice(0, older).reverse();
  return toPage(following.slice(0, limit + 1), limit);
}

/** Where what is older than an item ends, and where what is newer begins. */
function split(
  all: readonly { id: string }[],
  id: string,
  beforeRemoved: BeforeRemoved = () => undefined,
): [older: number, newer: number] {
  const places = new Map(all.map((item, index) => [item.id, index]));
  const own = places.get(id);
  if (own !== undefined) return [own, own + 1];
  let before = beforeRemoved(id);
  while (typeof before === 'string' && !places.has(before)) before = beforeRemoved(before);
  if (before === undefined) throw unknownCursor(id);
  const start = before === null ? 0 : places.get(before)! + 1;
  return [start, start];
}

export function unknownCursor(id: string, param = 'after'): ApiError {
  const message = `\`${param}\` names nothing in this list: \`${id.slice(0, 100)}\`.`;
  return new ApiError('invalid_value', message, { param });
}

/** A query string in OpenAI's format, where `name[key]=value` sets an entry of an object. */
export function readQuery<const S extends Schema>({ url }: Request, schema: S): Shape<S> {
  const plain = new Map<string, unknown>();
  const nested = new Map<string, Map<string, string>>();
  for (const [name, value] of new URL(url).searchParams) {
    const [, outer, inner] = /^([^[\]]+)\[(.*)\]$/s.exec(name) ?? [];
    if (outer === undefined) plain.set(name, value);
    else nested.set(outer, (nested.get(outer) ?? new Map()).set(inner!, value));
  }
  for (const [name, entries] of nested) plain.set(name, Object.fromEntries(entries));
  return parseRequest(schema, Object.fromEntries(plain));
}
