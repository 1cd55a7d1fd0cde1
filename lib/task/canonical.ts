// The text of an output as a model learns it: a label or a text as it is, and an object as JSON with its fields in the schema's
// order, as constrained answers have them.
import type { TaskDescription } from '../contract/index.js';
import { findMisfit, resolve } from './client/fits.js';

type Schema = Readonly<Record<string, unknown>>;

export function toAnswer({ kind, output }: Pick<TaskDescription, 'kind' | 'output'>, value: unknown): string {
  return kind === 'fields' ? JSON.stringify(inOrder(output, value, output)) : String(value);
}

function inOrder(schema: unknown, value: unknown, root: Schema): unknown {
  if (typeof schema !== 'object' || schema === null || typeof value !== 'object' || value === null)
    return value;
  const { $ref, anyOf, oneOf, items, prefixItems, properties, additionalProperties } = schema as Schema;
  if (typeof $ref === 'string') return inOrder(resolve(root, $ref), value, root);
  const branches = (anyOf ?? oneOf) as Schema[] | undefined;
  if (branches) {
    const fitting = branches.find(branch => findMisfit(branch, value, root) === null);
    return inOrder(fitting, value, root);
  }
  if (Array.isArray(value)) {
    const first = (prefixItems ?? []) as unknown[];
    return value.map((item, index) => inOrder(first[index] ?? items, item, root));
  }
  if (!properties) return value;
  const known = Object.entries(properties).filter(([name]) => Object.hasOwn(value, name));
  const others = Object.keys(value).filter(name => !Object.hasOwn(properties, name));
  const at = (name: string) => (value as Record<string, unknown>)[name];
  return Object.fromEntries([
    ...known.map(([name, part]) => [name, inOrder(part, at(name), root)]),
    // The program's own schema drops them, too.
    ...(additionalProperties === false ? [] : others.map(name => [name, at(name)])),
  ]);
}
