// Shared by the project API's operations: an authorized call, its query, and pagination.
import { ApiError, type openAiRoutes, parseRequest, type Schema, type Shape } from '../../contract/index.js';
import type { OperationCall } from '../answers/operations.js';
import type { KeyScope } from './models.js';

export type Operation = keyof typeof openAiRoutes;

export interface Call extends OperationCall {
  scope: KeyScope;
  /** Identifies the key. */
  caller: string;
}

export type Operations<Name extends Operation> = Readonly<Record<Name, (call: Call) => Promise<object>>>;

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

export function unknownCursor(after: string): ApiError {
  return new ApiError('invalid_value', `\`after\` names nothing in this list: \`${after.slice(0, 100)}\`.`, {
    param: 'after',
  });
}

/** Unix seconds. */
export function toSeconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000);
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
