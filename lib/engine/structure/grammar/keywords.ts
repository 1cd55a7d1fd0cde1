// JSON schema keywords, and errors about them.
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/** A schema, or a part of one, that cannot be enforced. */
export class SchemaError extends Error {}

/** A keyword that a grammar cannot enforce, in a schema that is otherwise sound. */
export class UnenforceableError extends SchemaError {
  readonly keyword: string;

  constructor(path: string, keyword: string, reason = `${path}.${keyword} cannot be enforced`) {
    super(reason);
    this.keyword = keyword;
  }
}

export type Keywords = { readonly [keyword: string]: unknown };

export type Type = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

const TYPES: readonly Type[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

/** Constraints that can accompany `enum`, `$ref` or a choice. `notPattern` is our own: a `not` that is about strings. */
export const CONSTRAINING = [
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'prefixItems',
  'additionalItems',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'enum',
  'const',
  'pattern',
  'notPattern',
  'format',
  'not',
  'uniqueItems',
  'propertyNames',
  'patternProperties',
  'dependentRequired',
  '$ref',
  'anyOf',
  'oneOf',
  'allOf',
];

/** The other keywords that restrict values. All remaining ones are annotations. */
export const REFUSED = [
  'if',
  'then',
  'else',
  'contains',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
  'dependencies',
  'dependentSchemas',
  'unevaluatedItems',
  'unevaluatedProperties',
  '$dynamicRef',
  '$recursiveRef',
];

/** They depend on what other keywords have seen. */
export const UNCHECKABLE = ['unevaluatedItems', 'unevaluatedProperties', '$dynamicRef', '$recursiveRef'];

/** Rejects, by name, restricting keywords that cannot be enforced. */
export function refuseUnenforceable(given: Keywords, path: string, refused = REFUSED): void {
  for (const name of refused) {
    if (given[name] !== undefined && !isNeutral(name, given)) throw refusalOf(name, path);
  }
}

export function refusalOf(name: string, path: string): SchemaError {
  if (UNCHECKABLE.includes(name)) return new SchemaError(`${path}.${name} cannot be enforced`);
  return new UnenforceableError(path, name);
}

/** Whether the keyword has no effect on which values are valid. */
function isNeutral(name: string, given: Keywords): boolean {
  const value = given[name];
  if (name === 'minProperties')
    return (
      typeof value === 'number' && value <= new Set(Array.isArray(given.required) ? given.required : []).size
    );
  if (name === 'maxProperties')
    return (
      typeof value === 'number' &&
      given.additionalProperties === false &&
      given.patternProperties === undefined &&
      Object.keys(given.properties ?? {}).length <= value
    );
  if (name === 'unevaluatedProperties' || name === 'unevaluatedItems') return value === true;
  if (name === 'then' || name === 'else') return given.if === undefined;
  return false;
}

/** The types that a value may have; without `type`, inferred from the other keywords. */
export function typesOf(given: Keywords, path: string): Type[] {
  if (given.type === undefined) {
    const about = Object.entries(ABOUT).find(([, names]) => names.some(name => given[name] !== undefined));
    return about ? [about[0] as Type] : ['null', 'boolean', 'number', 'string', 'array', 'object'];
  }
  const types = Array.isArray(given.type) ? given.type : [given.type];
  for (const type of types)
    if (!TYPES.includes(type))
      throw new SchemaError(`${path}.type: ${JSON.stringify(type)} is not a type of JSON`);
  return [...new Set(types)];
}

const ABOUT: Readonly<Partial<Record<Type, readonly string[]>>> = {
  object: ['properties', 'required', 'additionalProperties', 'propertyNames', 'patternProperties'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'],
  string: ['minLength', 'maxLength', 'pattern', 'notPattern', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
};

export function findReference(root: JsonSchema, reference: string, path: string): JsonSchema {
  if (!/^#(?:$|\/)/.test(reference))
    throw new SchemaError(`${path}.$ref: only references within the schema are followed`);
  let found: unknown = root;
  for (const part of reference.split('/').slice(1)) {
    const name = readName(part, path);
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, name)
        ? (found as Keywords)[name]
        : undefined;
  }
  if (found === undefined) throw new SchemaError(`${path}.$ref: ${JSON.stringify(reference)} is not there`);
  return requireSchema(found, reference);
}

/** Decodes a segment of a JSON pointer in a URL fragment. */
function readName(part: string, path: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    throw new SchemaError(`${path}.$ref: ${JSON.stringify(part)} is not percent-encoded UTF-8`);
  }
}

export function readCount(given: Keywords, name: string, path: string): number | undefined {
  const value = given[name];
  if (value === undefined || (Number.isInteger(value) && (value as number) >= 0))
    return value as number | undefined;
  throw new SchemaError(`${path}.${name} must be a whole number of at least 0`);
}

export function requireKeywords(value: unknown, path: string): Keywords {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Keywords;
  throw new SchemaError(`${path} must be an object`);
}

export function requireSchema(value: unknown, path: string): JsonSchema {
  return typeof value === 'boolean' ? value : requireKeywords(value, path);
}

export function requireList(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value;
  throw new SchemaError(`${path} must be a list that is not empty`);
}

export function requireNames(value: unknown, path: string): readonly string[] {
  if (Array.isArray(value) && value.every(name => typeof name === 'string')) return value;
  throw new SchemaError(`${path} must be a list of names`);
}
