// Combines several schemas of one value into one, and checks whether schemas exclude each other.
import { toPattern } from '../pattern/index.js';
import {
  CONSTRAINING,
  type JsonSchema,
  type Keywords,
  REFUSED,
  refusalOf,
  requireKeywords,
  requireList,
  requireNames,
  type SchemaError,
  type Type,
  typesOf,
  UnenforceableError,
} from './keywords.js';

/** Merges two schemas: their object keywords, and keywords that only one of them has. */
export function merge(a: JsonSchema, b: JsonSchema, path: string): JsonSchema {
  if (a === true || b === false) return b;
  if (b === true || a === false) return a;
  const merged: Record<string, unknown> = { ...a };
  for (const [name, value] of Object.entries(b)) {
    const other = merged[name];
    if (other === undefined || other === value) merged[name] = value;
    else if (name === 'required')
      merged[name] = [...new Set([...requireNames(other, path), ...requireNames(value, path)])];
    else if (name === 'properties')
      merged[name] = mergeProperties(requireKeywords(other, path), requireKeywords(value, path), path);
    else if (JSON.stringify(other) === JSON.stringify(value)) merged[name] = value;
    else if (TEXTS.includes(name)) merged[name] = [other, value].flat();
    else if (name === 'type') merged[name] = commonTypes(typesOf(a, path), typesOf(b, path));
    else if (name in BOUNDS) merged[name] = BOUNDS[name]!(...([other, value] as [number, number]));
    else if (name === 'allOf') merged[name] = [...requireList(other, path), ...requireList(value, path)];
    else if (REFUSED.includes(name)) throw refusalOf(name, path);
    else if (CONSTRAINING.includes(name))
      throw new UnenforceableError(path, name, `${path}.${name} is used twice, which cannot be enforced`);
  }
  if (hasOthers(a, b, path) || hasOthers(b, a, path))
    throw new UnenforceableError(
      path,
      'additionalProperties',
      `${path}: a property that another part does not allow cannot be enforced`,
    );
  if (isAfterOthers(a, b) || isAfterOthers(b, a)) throw new UnenforceableError(path, 'items');
  return merged;
}

function commonTypes(a: readonly Type[], b: readonly Type[]): Type[] {
  const within = (types: readonly Type[], others: readonly Type[]) =>
    types.filter(type => others.includes(type) || (type === 'integer' && others.includes('number')));
  return [...new Set([...within(a, b), ...within(b, a)])];
}

/** Whether a part says of all elements, or of those after its own first ones, what would be said of those after the other's. */
function isAfterOthers(part: Keywords, other: Keywords): boolean {
  const first = ({ items, prefixItems }: Keywords) =>
    prefixItems ?? (Array.isArray(items) ? items : undefined);
  const rest = Array.isArray(part.items) ? part.additionalItems : part.items;
  const others = first(other);
  if (rest === undefined || rest === true || others === undefined) return false;
  return JSON.stringify(others) !== JSON.stringify(first(part));
}

/** Whether a part names properties that another part limits as additional ones. */
function hasOthers(part: Keywords, { additionalProperties, ...other }: Keywords, path: string): boolean {
  if (additionalProperties === undefined || additionalProperties === true) return false;
  const [named, known] = [part, other].map(({ properties }) => requireKeywords(properties ?? {}, path));
  if (Object.keys(named!).some(name => !Object.hasOwn(known!, name))) return true;
  const { patternProperties } = part;
  return (
    patternProperties !== undefined &&
    JSON.stringify(patternProperties) !== JSON.stringify(other.patternProperties)
  );
}

/** The narrower of two bounds counts. */
const BOUNDS: Readonly<Record<string, typeof Math.min>> = Object.fromEntries([
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'].map(name => [name, Math.max]),
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'].map(name => [name, Math.min]),
]);

/** Keywords that can be enforced several times at once. */
const TEXTS = ['pattern', 'notPattern', 'format'];

function mergeProperties(a: Keywords, b: Keywords, path: string): Keywords {
  const added = Object.entries(b).map(([name, schema]) => {
    const other = Object.hasOwn(a, name) ? (a[name] as JsonSchema) : true;
    return [name, merge(other, schema as JsonSchema, `${path}.${name}`)] as const;
  });
  // Unlike an assignment, this keeps a property that is called `__proto__`.
  return Object.fromEntries([...Object.entries(a), ...added]);
}

/** For `oneOf`: no value may fit two. Their types differ, or one required property has different values in each. */
export function requireApart(
  parts: readonly JsonSchema[],
  path: string,
  spend: (steps: number) => void,
): void {
  const overlap = (i: number, j: number) =>
    new UnenforceableError(
      path,
      'oneOf',
      `${path}.oneOf: ${i} and ${j} may both fit a value, which cannot be enforced`,
    );
  const lists = parts.map(valuesOf);
  const owners = new Map<string, number>();
  for (const [j, values] of lists.entries()) {
    for (const value of new Set(values)) {
      if (owners.has(value)) throw overlap(owners.get(value)!, j);
      owners.set(value, j);
    }
  }
  for (const [i, a] of parts.entries()) {
    for (const [j, b] of parts.entries()) {
      if (j <= i || (lists[i] && lists[j])) continue;
      spend(1);
      if (!areApart(a, b)) throw overlap(i, j);
    }
  }
}

function areApart(a: JsonSchema, b: JsonSchema): boolean {
  if (typeof a === 'boolean' || typeof b === 'boolean') return a === false || b === false;
  const [types, otherTypes] = [typesOf(a, '$'), typesOf(b, '$')].map(all =>
    all.map(type => (type === 'integer' ? 'number' : type)),
  );
  const common = types!.filter(type => otherTypes!.includes(type));
  if (a.type !== undefined && b.type !== undefined && common.length === 0) return true;
  // Required names tell objects apart, and nothing else.
  if (common.some(type => type !== 'object')) return false;
  const names = [a, b].map(({ required }) => (Array.isArray(required) ? required : []));
  const others = new Set(names[1]);
  return names[0]!.some(name => {
    if (!others.has(name)) return false;
    const [left, right] = [a, b].map(({ properties }) =>
      valuesOf(((properties as Keywords)?.[name] ?? {}) as JsonSchema),
    );
    const known = new Set(right);
    return left && right && !left.some(value => known.has(value));
  });
}

function valuesOf(schema: JsonSchema): string[] | null {
  if (typeof schema === 'boolean') return null;
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  return Array.isArray(schema.enum) ? schema.enum.map(value => JSON.stringify(value)) : null;
}

/** A schema minus a simple one (`not`): a type, strings that are listed or described, or a required property. */
export function excluding({ not: _, ...given }: Keywords, excluded: JsonSchema, path: string): JsonSchema {
  const cannot = () => new UnenforceableError(path, 'not');
  if (typeof excluded === 'boolean') return excluded ? false : given;
  if (REFUSED.some(name => excluded[name] !== undefined)) throw cannot();
  const used = CONSTRAINING.filter(name => excluded[name] !== undefined);
  const usesOnly = (...names: string[]) => used.length > 0 && used.every(name => names.includes(name));
  if (used.length === 0) return false;
  if (usesOnly('type'))
    return { ...given, type: withoutTypes(typesOf(given, path), typesOf(excluded, `${path}.not`), cannot) };
  // Values of other types fit a pattern or required names: without a type, those are excluded, too.
  const only = (type: Type): Keywords => ({ ...given, type: commonTypes(typesOf(given, path), [type]) });
  if (usesOnly('type', 'pattern') && typesOf(excluded, path).join() === 'string')
    return addTexts(excluded.type === undefined ? only('string') : given, [excluded.pattern as string], path);
  if (usesOnly('required') && Array.isArray(excluded.required) && excluded.required.length === 1) {
    const [name] = excluded.required as [string];
    const properties = { ...requireKeywords(given.properties ?? {}, path), [name]: false };
    return { ...only('object'), properties };
  }
  const listed = excluded.const === undefined ? [excluded.enum ?? []].flat() : [excluded.const];
  const values = usesOnly('type', 'const', 'enum') ? listed : [];
  const types = typesOf(given, path);
  // Types that the value cannot have exclude nothing.
  const near = values.filter(value => types.some(type => isNear(value, type)));
  if (values.length === 0 || near.some(value => typeof value !== 'string')) throw cannot();
  return near.length === 0 ? given : addTexts(given, [toPattern(near as string[])], path);
}

const isNear = (value: unknown, type: Type) =>
  type === (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value) ||
  (type === 'integer' && typeof value === 'number');

function withoutTypes(types: readonly Type[], excluded: readonly Type[], cannot: () => SchemaError): Type[] {
  if (excluded.includes('integer') && types.includes('number')) throw cannot();
  const isExcluded = (type: Type) =>
    excluded.includes(type) || (type === 'integer' && excluded.includes('number'));
  return types.filter(type => !isExcluded(type));
}

function addTexts(given: Keywords, notPattern: readonly string[], path: string): JsonSchema {
  return { ...(merge(given, { notPattern }, path) as Keywords), type: typesOf(given, path) };
}
