// Whether a value fits a JSON Schema: the keywords that zod writes, without formats. The rest is not checked.

export interface Schema {
  [keyword: string]: unknown;
}

type Root = Schema | boolean;

const MOST_LEVELS = 200;

/** What does not fit, with its path; null if all does. */
export function findMisfit(schema: Root, value: unknown, root = schema, path = '', level = 0): string | null {
  if (schema === true) return null;
  const refuse = (what: string) => `${path || 'it'} ${what}`;
  if (schema === false) return refuse('is not allowed');
  if (level > MOST_LEVELS) return refuse('is nested too deeply');
  const at = (part: Root, inner: unknown, name: string | number) =>
    findMisfit(
      part,
      inner,
      root,
      typeof name === 'number' ? `${path}[${name}]` : joinPath(path, name),
      level + 1,
    );
  const here = (part: Root) => findMisfit(part, value, root, path, level + 1);

  if (typeof schema.$ref === 'string') {
    const misfit = here(resolve(root, schema.$ref));
    if (misfit) return misfit;
  }
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some(type => isOfType(value, type)))
    return refuse(`must be ${types.join(' or ')}, not ${typeOf(value)}`);
  const choices = schema.enum ?? (Object.hasOwn(schema, 'const') ? [schema.const] : undefined);
  if (Array.isArray(choices) && !choices.some(choice => isSame(choice, value)))
    return refuse(`must be ${choices.map(choice => JSON.stringify(choice)).join(' or ')}`);
  for (const part of listOf(schema.allOf)) {
    const misfit = here(part);
    if (misfit) return misfit;
  }
  for (const parts of [schema.anyOf, schema.oneOf].map(listOf)) {
    const misfits = parts.map(here);
    if (parts.length > 0 && misfits.every(misfit => misfit !== null))
      return misfits.length === 1 ? misfits[0]! : refuse(`fits none of its choices (${misfits[0]})`);
  }
  if (typeof value === 'string') return describeText(schema, value, refuse);
  if (typeof value === 'number') return describeNumber(schema, value, refuse);
  if (Array.isArray(value)) return findListMisfit(schema, value, refuse, at);
  if (typeof value === 'object' && value !== null) return findObjectMisfit(schema, value, refuse, at);
  return null;
}

type Refuse = (what: string) => string;
type At = (part: Root, inner: unknown, name: string | number) => string | null;

function describeText(schema: Schema, value: string, refuse: Refuse): string | null {
  const length = [...value].length;
  if (length < numberOr(schema.minLength, 0))
    return refuse(`must have at least ${schema.minLength} characters`);
  if (length > numberOr(schema.maxLength, Infinity))
    return refuse(`must have at most ${schema.maxLength} characters`);
  if (typeof schema.pattern === 'string' && !matchesPattern(schema.pattern, value))
    return refuse(`must match ${schema.pattern}`);
  return null;
}

/** Patterns are read with the flag u, or without where that is no expression, such as `\-`. One that cannot be read matches. */
export function matchesPattern(pattern: string, text: string): boolean {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags).test(text);
    } catch {
      // It may be one with the next flags.
    }
  }
  return true;
}

function describeNumber(schema: Schema, value: number, refuse: Refuse): string | null {
  if (value < numberOr(schema.minimum, -Infinity)) return refuse(`must be at least ${schema.minimum}`);
  if (value > numberOr(schema.maximum, Infinity)) return refuse(`must be at most ${schema.maximum}`);
  if (value <= numberOr(schema.exclusiveMinimum, -Infinity))
    return refuse(`must be more than ${schema.exclusiveMinimum}`);
  if (value >= numberOr(schema.exclusiveMaximum, Infinity))
    return refuse(`must be less than ${schema.exclusiveMaximum}`);
  return null;
}

function findListMisfit(schema: Schema, value: unknown[], refuse: Refuse, at: At): string | null {
  if (value.length < numberOr(schema.minItems, 0))
    return refuse(`must have at least ${schema.minItems} entries`);
  if (value.length > numberOr(schema.maxItems, Infinity))
    return refuse(`must have at most ${schema.maxItems} entries`);
  const first = listOf(schema.prefixItems);
  for (const [index, item] of value.entries()) {
    const part = first[index] ?? (schema.items as Root | undefined) ?? true;
    const misfit = at(part, item, index);
    if (misfit) return misfit;
  }
  return null;
}

function findObjectMisfit(schema: Schema, value: object, refuse: Refuse, at: At): string | null {
  const properties = (schema.properties ?? {}) as Record<string, Root>;
  for (const name of (schema.required ?? []) as string[])
    if (!Object.hasOwn(value, name)) return refuse(`must have ${JSON.stringify(name)}`);
  for (const [name, inner] of Object.entries(value)) {
    if (Object.hasOwn(properties, name)) {
      const misfit = at(properties[name]!, inner, name);
      if (misfit) return misfit;
    } else if (schema.additionalProperties === false) return refuse(`must not have ${JSON.stringify(name)}`);
    else if (typeof schema.additionalProperties === 'object') {
      const misfit = at(schema.additionalProperties as Schema, inner, name);
      if (misfit) return misfit;
    }
  }
  return null;
}

/** A schema that another one in the same document refers to. */
export function resolve(root: Root, reference: string): Root {
  const names = reference.replace(/^#\/?/, '').split('/').filter(Boolean);
  return names.reduce<Root>((whole, name) => {
    const key = decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof whole !== 'object' || !Object.hasOwn(whole, key)) return true;
    return whole[key] as Root;
  }, root);
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return typeOf(value) === type;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);
const listOf = (parts: unknown) => (Array.isArray(parts) ? (parts as Root[]) : []);
const numberOr = (limit: unknown, none: number) => (typeof limit === 'number' ? limit : none);

function joinPath(path: string, name: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}
