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

/** A page of a whole list, the oldest item first; the newest comes first unless the order says otherwise. */
export function pageOf<Item extends { id: string }>(
  all: readonly Item[],
  { limit = USUAL_LIMIT, order = 'desc', after }: Window,
): Page<Item> {
  const ordered = order === 'asc' ? all : all.toReversed();
  const start = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw unknownCursor(after);
  return toPage(ordered.slice(start, start + limit + 1), limit);
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
