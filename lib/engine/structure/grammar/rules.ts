// Checks a value against a JSON schema, for what a grammar cannot enforce: what each keyword demands of it. Draft 2020-12, and
// the older form of `items`.
import { isDeepStrictEqual } from 'node:util';
import { fitsFormat, fitsPattern } from './checked-texts.js';
import { isMultiple } from './json-number.js';
import { findReference, type JsonSchema, type Keywords, requireSchema } from './keywords.js';
import { requireSound } from './soundness.js';

interface Place {
  readonly keywords: Keywords;
  readonly path: string;
  /** What is wrong with a value under another schema. */
  check(schema: unknown, value: unknown, path?: string): string | null;
  follow(reference: string): JsonSchema;
}

/** Returns what is wrong with the value, if anything. */
type Rule = (value: unknown, expected: never, place: Place) => string | null | undefined | false;

const isObject = (value: unknown): value is Keywords =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

const demand = (isMet: boolean, { path }: Place, what: string) => (isMet ? null : `${path} must ${what}`);

function ofText(fits: (value: string, expected: never) => boolean, what: string): Rule {
  return (value, expected, place) =>
    typeof value === 'string' && demand(fits(value, expected), place, `${what} ${expected}`);
}

function ofNumber(fits: (value: number, expected: number) => boolean, what: string): Rule {
  return (value, expected, place) =>
    typeof value === 'number' && demand(fits(value, expected), place, `${what} ${expected}`);
}

function ofList(fits: (value: unknown[], expected: number) => boolean, what: string): Rule {
  return (value, expected, place) =>
    Array.isArray(value) && demand(fits(value, expected), place, `${what} ${expected}`);
}

function ofObject(check: (value: Keywords, expected: never, place: Place) => string | null): Rule {
  return (value, expected, place) => isObject(value) && check(value, expected, place);
}

/** The first problem of several. */
function firstOf<T>(all: readonly T[], find: (one: T, i: number) => string | null): string | null {
  for (const [i, one] of all.entries()) {
    const problem = find(one, i);
    if (problem) return problem;
  }
  return null;
}

const lengthOf = (text: string) => Array.from(text).length;
const hasOwn = (value: Keywords, name: string) => Object.hasOwn(value, name);

const items: Rule = (value, expected: unknown, { keywords, path, check }) => {
  if (!Array.isArray(value)) return null;
  const prefix = [Array.isArray(expected) ? expected : (keywords.prefixItems ?? [])].flat();
  const rest = (Array.isArray(expected) ? keywords.additionalItems : expected) ?? true;
  return firstOf(value, (item, i) => check(i < prefix.length ? prefix[i] : rest, item, `${path}[${i}]`));
};

const contains: Rule = (value, expected, place) => {
  if (!Array.isArray(value)) return null;
  const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = place.keywords as Record<
    string,
    number
  >;
  const count = value.filter(item => place.check(expected, item) === null).length;
  return demand(count >= minContains && count <= maxContains, place, `contain ${JSON.stringify(expected)}`);
};

const properties = ofObject((value, _, { keywords, path, check }) => {
  const declared = (keywords.properties ?? {}) as Keywords;
  const patterns = Object.entries((keywords.patternProperties ?? {}) as Keywords);
  return firstOf(Object.entries(value), ([name, inner]) => {
    const fitting = patterns.filter(([pattern]) => fitsPattern(name, pattern)).map(([, schema]) => schema);
    if (hasOwn(declared, name)) fitting.push(declared[name]);
    if (fitting.length === 0) fitting.push(keywords.additionalProperties ?? true);
    return firstOf(fitting, schema => check(schema, inner, `${path}.${name}`));
  });
});

const required = ofObject((value, names: readonly string[], place) =>
  firstOf(names, name => demand(hasOwn(value, name), place, `have ${name}`)),
);

const dependencies = ofObject((value, all: Keywords, place) =>
  firstOf(Object.entries(all), ([name, needs]) => {
    if (!hasOwn(value, name)) return null;
    return Array.isArray(needs)
      ? firstOf(needs as string[], other => demand(hasOwn(value, other), place, `have ${other}`))
      : place.check(needs, value);
  }),
);

const RULES: Readonly<Record<string, Rule>> = {
  type: (value, expected: unknown, place) => {
    const isOf = (type: unknown) => type === typeOf(value) || (type === 'integer' && Number.isInteger(value));
    return demand([expected].flat().some(isOf), place, `be of type ${[expected].flat().join(' or ')}`);
  },
  enum: (value, expected: readonly unknown[], place) =>
    demand(
      expected.some(one => isDeepStrictEqual(one, value)),
      place,
      `be one of ${JSON.stringify(expected)}`,
    ),
  const: (value, expected, place) =>
    demand(isDeepStrictEqual(value, expected), place, `be ${JSON.stringify(expected)}`),

  minLength: ofText((value, least) => lengthOf(value) >= least, 'have a length of at least'),
  maxLength: ofText((value, most) => lengthOf(value) <= most, 'have a length of at most'),
  pattern: ofText((value, pattern) => fitsPattern(value, pattern), 'match'),
  format: ofText((value, format) => fitsFormat(value, format), 'be of the format'),

  minimum: ofNumber((value, least) => value >= least, 'be at least'),
  maximum: ofNumber((value, most) => value <= most, 'be at most'),
  exclusiveMinimum: ofNumber((value, least) => value > least, 'be more than'),
  exclusiveMaximum: ofNumber((value, most) => value < most, 'be less than'),
  multipleOf: ofNumber(isMultiple, 'be a multiple of'),

  items,
  prefixItems: (value, expected, place) =>
    place.keywords.items === undefined ? items(value, expected, place) : null,
  minItems: ofList(({ length }, least) => length >= least, 'have items: at least'),
  maxItems: ofList(({ length }, most) => length <= most, 'have items: at most'),
  uniqueItems: (value, expected: boolean, place) => {
    if (!Array.isArray(value) || !expected) return null;
    const isNew = (item: unknown, i: number) =>
      !value.slice(0, i).some(other => isDeepStrictEqual(other, item));
    return demand(value.every(isNew), place, 'have no item twice');
  },
  contains,

  properties,
  patternProperties: (value, expected, place) =>
    place.keywords.properties === undefined ? properties(value, expected, place) : null,
  additionalProperties: (value, expected, place) =>
    (place.keywords.properties ?? place.keywords.patternProperties) === undefined
      ? properties(value, expected, place)
      : null,
  required,
  propertyNames: ofObject((value, schema, { check, path }) =>
    firstOf(Object.keys(value), name => check(schema, name, `the name ${path}.${name}`)),
  ),
  minProperties: ofObject((value, least: number, place) =>
    demand(Object.keys(value).length >= least, place, `have properties: at least ${least}`),
  ),
  maxProperties: ofObject((value, most: number, place) =>
    demand(Object.keys(value).length <= most, place, `have properties: at most ${most}`),
  ),
  dependentRequired: dependencies,
  dependentSchemas: dependencies,
  dependencies,

  allOf: (value, all: readonly unknown[], { check }) => firstOf(all, schema => check(schema, value)),
  anyOf: (value, all: readonly unknown[], place) => {
    const problems = all.map(schema => place.check(schema, value));
    return problems.includes(null) ? null : problems[0];
  },
  oneOf: (value, all: readonly unknown[], place) => {
    const problems = all.map(schema => place.check(schema, value));
    const count = problems.filter(problem => problem === null).length;
    return count === 0 ? problems[0] : demand(count === 1, place, 'fit only one of oneOf');
  },
  not: (value, schema, place) =>
    demand(place.check(schema, value) !== null, place, `not fit ${JSON.stringify(schema)}`),
  if: (value, schema, { keywords, check }) =>
    check((check(schema, value) === null ? keywords.then : keywords.else) ?? true, value),
  $ref: (value, reference: string, { check, follow }) => check(follow(reference), value),
};

/** What is wrong with a value; null if it fits. */
export type Check = (value: unknown) => string | null;

/** References can lead to themselves. */
const DEEPEST = 200;

/** Throws a `SchemaError` for a schema with a part that nothing can be checked against. */
export function createCheck(root: JsonSchema): Check {
  requireSound(root);

  function check(schema: JsonSchema, value: unknown, path: string, depth: number): string | null {
    if (schema === true) return null;
    if (schema === false) return `${path} must not be there`;
    if (depth > DEEPEST) return `${path} is nested too deeply`;
    const place = {
      keywords: schema,
      path,
      check: (given: unknown, inner: unknown, at = path) =>
        check(requireSchema(given, at), inner, at, depth + 1),
      follow: (reference: string) => findReference(root, reference, path),
    };
    for (const [name, expected] of Object.entries(schema)) {
      const rule = Object.hasOwn(RULES, name) ? RULES[name]! : null;
      const problem = expected === undefined ? null : rule?.(value, expected as never, place);
      if (problem) return problem;
    }
    return null;
  }

  return value => check(root, value, '$', 0);
}
