// The query of a request in OpenAI's format, in which `name[key]=value` is an entry of an object.
import { parseRequest, type Schema, type Shape } from '../../contract/index.js';

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
