// Writes the TypeScript type of a JSON Schema.
import { toSafeJson } from '../console/safe-text.js';
import { resolve } from './client/fits.js';

type Schema = Readonly<Record<string, unknown>>;

/** References are written out; one that contains itself, or is deeper than this, is `unknown`. */
const MOST_LEVELS = 20;

/** The type, on as many lines as it takes. Lines after the first are indented by `indent`. */
export function toType(schema: unknown, indent = ''): string {
  return write(schema, schema as Schema, indent, 0, new Set(['#']));
}

/** `open`: the references that are being written. */
function write(
  schema: unknown,
  root: Schema,
  indent: string,
  level: number,
  open: ReadonlySet<string>,
): string {
  if (schema === false) return 'never';
  if (typeof schema !== 'object' || schema === null || level > MOST_LEVELS) return 'unknown';
  const { $ref, type, enum: choices, anyOf, oneOf, allOf } = schema as Schema;
  if (typeof $ref === 'string') {
    if (open.has($ref)) return 'unknown';
    return write(resolve(root, $ref), root, indent, level + 1, new Set(open).add($ref));
  }
  const inner = (part: unknown, by = indent) => write(part, root, by, level + 1, open);
  if (Object.hasOwn(schema, 'const')) return literal((schema as Schema).const);
  if (Array.isArray(choices)) return union(choices.map(literal));
  const parts = anyOf ?? oneOf;
  if (Array.isArray(parts)) return union(parts.map(part => inner(part)));
  if (Array.isArray(allOf)) return allOf.map(part => parenthesized(inner(part))).join(' & ') || 'unknown';
  if (Array.isArray(type)) return union(type.map(one => inner({ ...schema, type: one })));
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return writeList(schema as Schema, inner);
    case 'object':
      return writeObject(schema as Schema, indent, inner);
    default:
      return 'unknown';
  }
}

type Inner = (part: unknown, by?: string) => string;

function writeList({ prefixItems, items, minItems }: Schema, inner: Inner): string {
  if (!Array.isArray(prefixItems))
    return `${parenthesized(items === undefined ? 'unknown' : inner(items))}[]`;
  const least = typeof minItems === 'number' ? minItems : prefixItems.length;
  const fixed = prefixItems.map((part, index) => {
    const one = inner(part);
    return index < least ? one : `${parenthesized(one)}?`;
  });
  const rest = items === undefined || items === false ? [] : [`...${parenthesized(inner(items))}[]`];
  return `[${[...fixed, ...rest].join(', ')}]`;
}

function writeObject(schema: Schema, indent: string, inner: Inner): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  const deeper = `${indent}  `;
  const fields = Object.entries(properties as object).map(([name, part]) => {
    const isRequired = (required as string[]).includes(name);
    // An absent field may also be undefined, unlike under `exactOptionalPropertyTypes`.
    const type = inner(part, deeper);
    return `${deeper}${propertyName(name)}${isRequired ? '' : '?'}: ${isRequired ? type : `${type} | undefined`};`;
  });
  const isOpen = typeof additionalProperties === 'object';
  if (fields.length === 0) return `Record<string, ${isOpen ? inner(additionalProperties) : 'unknown'}>`;
  // Its names are also those of the fields, whose types may be others.
  if (isOpen || additionalProperties === true) fields.push(`${deeper}[name: string]: unknown;`);
  return `{\n${fields.join('\n')}\n${indent}}`;
}

/** In brackets, `__proto__` is a property like any other. */
function propertyName(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

/** A value in source text, which stays the same where invisible characters are removed. */
function literal(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'unknown' : toSafeJson(JSON.stringify(value));
}

function union(types: readonly string[]): string {
  const different = [...new Set(types)];
  if (different.includes('unknown')) return 'unknown';
  return different.map(type => (type.includes(' & ') ? `(${type})` : type)).join(' | ') || 'never';
}

const parenthesized = (type: string) => (/ [|&] /.test(type) ? `(${type})` : type);
