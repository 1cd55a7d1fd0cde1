// Finds faults in schemas that values are checked against, before the first value: also in parts that no grammar reads, such as
// `if`.
import { requirePattern } from './checked-texts.js';
import {
  findReference,
  type JsonSchema,
  type Keywords,
  readCount,
  refuseUnenforceable,
  requireKeywords,
  requireList,
  requireNames,
  requireSchema,
  SchemaError,
  typesOf,
  UNCHECKABLE,
} from './keywords.js';

interface Place {
  readonly path: string;
  visit(schema: unknown, path: string): void;
  follow(reference: string): JsonSchema;
}

/** Throws a `SchemaError` for a value that a keyword cannot have. */
type Demand = (value: unknown, name: string, given: Keywords, place: Place) => void;

const schema: Demand = (value, name, _, { path, visit }) => visit(value, `${path}.${name}`);

const listed: Demand = (value, name, _, { path, visit }) => {
  for (const [i, part] of requireList(value, `${path}.${name}`).entries())
    visit(part, `${path}.${name}[${i}]`);
};

const named: Demand = (value, name, _, { path, visit }) => {
  for (const [key, part] of Object.entries(requireKeywords(value, `${path}.${name}`)))
    visit(part, `${path}.${name}.${key}`);
};

const count: Demand = (_, name, given, { path }) => void readCount(given, name, path);

const number: Demand = (value, name, _, { path }) => {
  if (typeof value !== 'number') throw new SchemaError(`${path}.${name} must be a number`);
};

const text: Demand = (value, name, _, { path }) => {
  if (typeof value !== 'string') throw new SchemaError(`${path}.${name} must be a string`);
};

const dependencies: Demand = (value, name, _, { path, visit }) => {
  for (const [key, needs] of Object.entries(requireKeywords(value, `${path}.${name}`)))
    if (Array.isArray(needs)) requireNames(needs, `${path}.${name}.${key}`);
    else visit(needs, `${path}.${name}.${key}`);
};

const pattern: Demand = (value, ...others) => {
  text(value, ...others);
  requirePattern(value as string);
};

const all = (demand: Demand, ...names: string[]) => names.map(name => [name, demand] as const);

const DEMANDS: Readonly<Record<string, Demand>> = {
  ...Object.fromEntries([
    ...all(schema, 'not', 'if', 'then', 'else', 'contains'),
    ...all(schema, 'propertyNames', 'additionalProperties', 'additionalItems'),
    ...all(listed, 'allOf', 'anyOf', 'oneOf', 'prefixItems'),
    ...all(dependencies, 'dependentRequired', 'dependentSchemas', 'dependencies'),
    ...all(count, 'minLength', 'maxLength', 'minItems', 'maxItems'),
    ...all(count, 'minProperties', 'maxProperties', 'minContains', 'maxContains'),
    ...all(number, 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'),
  ]),
  type: (_, __, given, { path }) => void typesOf(given, path),
  enum: (value, _, __, { path }) => {
    if (!Array.isArray(value)) throw new SchemaError(`${path}.enum must be a list`);
  },
  items: (value, ...others) => (Array.isArray(value) ? listed : schema)(value, ...others),
  properties: named,
  patternProperties(value, ...others) {
    named(value, ...others);
    for (const source of Object.keys(value as Keywords)) requirePattern(source);
  },
  required: (value, _, __, { path }) => void requireNames(value, `${path}.required`),
  format: text,
  pattern,
  multipleOf(value, name, given, place) {
    number(value, name, given, place);
    if ((value as number) <= 0) throw new SchemaError(`${place.path}.multipleOf must be greater than 0`);
  },
  $ref(value, name, given, place) {
    text(value, name, given, place);
    place.visit(place.follow(value as string), value as string);
  },
};

/** Throws a `SchemaError` if some value could not be checked against the schema, or against a part of it. */
export function requireSound(root: JsonSchema): void {
  const seen = new Set<JsonSchema>();

  function visit(part: unknown, path: string): void {
    const given = requireSchema(part, path);
    if (typeof given === 'boolean' || seen.has(given)) return;
    seen.add(given);
    refuseUnenforceable(given, path, UNCHECKABLE);
    const place: Place = { path, visit, follow: reference => findReference(root, reference, path) };
    for (const [name, value] of Object.entries(given))
      if (value !== undefined && Object.hasOwn(DEMANDS, name)) DEMANDS[name]!(value, name, given, place);
  }

  visit(root, '$');
}
