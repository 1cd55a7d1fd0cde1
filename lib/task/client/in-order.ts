// A value as its schema has it.
import { findMisfit, resolve, type Schema } from './fits.js';

/**
 * Objects have their fields in the schema's order, as constrained answers do. `isFilled`: those that are missing have their
 * defaults, as in what a program gets from its schema.
 */
export function inOrder(schema: unknown, given: unknown, root: Schema, isFilled = false): unknown {
  if (typeof schema !== 'object' || schema === null) return given;
  const value = isFilled && given === undefined ? (schema as Schema).default : given;
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, anyOf, oneOf, items, prefixItems, properties, additionalProperties } = schema as Schema;
  if (typeof $ref === 'string') return inOrder(resolve(root, $ref), value, root, isFilled);
  const branches = (anyOf ?? oneOf) as Schema[] | undefined;
  if (branches) {
    const fitting = branches.find(branch => findMisfit(branch, value, root) === null);
    return inOrder(fitting, value, root, isFilled);
  }
  if (Array.isArray(value)) {
    const first = (prefixItems ?? []) as unknown[];
    return value.map((item, index) => inOrder(first[index] ?? items, item, root, isFilled));
  }
  if (!properties) return value;
  const at = (name: string) => (Object.hasOwn(value, name) ? (value as Schema)[name] : undefined);
  const known = Object.entries(properties)
    .map(([name, part]) => [name, inOrder(part, at(name), root, isFilled)] as const)
    .filter(([name, part]) => Object.hasOwn(value, name) || part !== undefined);
  const others = Object.keys(value).filter(name => !Object.hasOwn(properties, name));
  return Object.fromEntries([
    ...known,
    // The program's own schema drops them, too.
    ...(additionalProperties === false ? [] : others.map(name => [name, at(name)])),
  ]);
}
