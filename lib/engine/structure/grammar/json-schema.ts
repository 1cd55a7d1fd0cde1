// Compiles a JSON schema to a grammar. Everything the grammar writes is valid, but it writes only one form of each value:
// properties in schema order, limited numbers without exponents. Keywords that cannot be enforced are rejected by name.
import { isDeepStrictEqual } from 'node:util';
import { excluding, merge, requireApart } from './combine.js';
import { writeNumber } from './json-number.js';
import {
  CONSTRAINING,
  findReference,
  type JsonSchema,
  type Keywords,
  REFUSED,
  readCount,
  refuseUnenforceable,
  requireKeywords,
  requireList,
  requireSchema,
  SchemaError,
  type Type,
  typesOf,
  UnenforceableError,
} from './keywords.js';
import { choice, later, NEVER, NOTHING, type Node, remember, sequence, space, text } from './machine.js';
import { splitDependent, writeObject } from './objects.js';
import { fitsString, writeString } from './strings.js';

interface Options {
  /** Called with each schema that cannot be enforced, to enforce less of it; null to reject it. */
  loosen?: ((given: Keywords, error: unknown) => Keywords | null) | undefined;
}

export function toGrammar(root: JsonSchema, { loosen = () => null }: Options = {}): Node {
  const known = new Map<Keywords, Node>();
  const resolved = new Map<string, Node>();
  const reading = new Set<string>();
  let work = 0;

  /** A short schema can expand to so many parts that compiling it would block other requests. */
  function spend(steps: number): void {
    work += steps;
    if (work > MOST_WORK) throw new RangeError('A schema has too many parts.');
  }

  function join(a: JsonSchema, b: JsonSchema, path: string): JsonSchema {
    spend(sizeOf(a) + sizeOf(b));
    return merge(a, b, path);
  }

  /** A schema that is used in several places shares a node, so that cached states are reused. */
  function write(schema: unknown, path: string): Node {
    if (schema === true) return anyValue;
    if (schema === false) return NEVER;
    const keywords = requireKeywords(schema, path);
    const found = known.get(keywords) ?? writeLoosely(keywords, path);
    known.set(keywords, found);
    return found;
  }

  function writeLoosely(given: Keywords, path: string): Node {
    try {
      return writeKeywords(given, path);
    } catch (error) {
      const less = loosen(given, error);
      if (!less) throw error;
      return writeLoosely(less, path);
    }
  }

  function writeKeywords(given: Keywords, path: string): Node {
    spend(WRITING);
    refuseUnenforceable(given, path);
    const split = splitDependent(given, path);
    if (split) return choice(...split.map((part, i) => write(part, `${path}.dependentRequired[${i}]`)));
    if (given.not !== undefined)
      return write(excluding(given, inline(requireSchema(given.not, `${path}.not`)), path), `${path}.not*`);
    const combined = COMBINING.filter(name => given[name] !== undefined);
    if (combined.length === 0) return writeTypes(given, path);
    const [name] = combined;
    const others = CONSTRAINING.filter(other => other !== name && given[other] !== undefined);
    if (name === '$ref') {
      if (others.length === 0) return resolve(given.$ref, path);
      return write(inline(given, path), `${path}.$ref*`);
    }
    if (name === 'enum' || name === 'const') return writeValues(given, others, path);
    const parts = requireList(given[name!], `${path}.${name}`);
    if (name === 'allOf') return write(mergeAll(given, parts, path), `${path}.allOf*`);
    const isOnlyType = others.every(other => other === 'type');
    const { [name!]: _, ...rest } = given;
    const options = parts.map((part, i) => {
      const option = requireSchema(part, `${path}.${name}[${i}]`);
      if (others.length === 0 || (isOnlyType && isNarrower(option, given, path))) return option;
      return join(rest, inline(option), path);
    });
    const nodes = options.map((option, i) => write(option, `${path}.${name}[${i}]`));
    if (name === 'oneOf')
      requireApart(
        options.map(option => inline(option)),
        path,
        spend,
      );
    return choice(...nodes);
  }

  /** Follows `$ref`, if there is one, and keeps what stands beside it. */
  function inline(schema: JsonSchema, path = '$'): JsonSchema {
    if (typeof schema === 'boolean' || typeof schema.$ref !== 'string') return schema;
    const { $ref, ...rest } = schema;
    const target = findReference(root, $ref as string, '$');
    return [...CONSTRAINING, ...REFUSED].some(name => rest[name] !== undefined)
      ? join(rest, target, path)
      : target;
  }

  function mergeAll(given: Keywords, parts: readonly unknown[], path: string): JsonSchema {
    const { allOf: _, ...rest } = given;
    return parts.reduce<JsonSchema>(
      (merged, part, i) =>
        join(merged, inline(requireSchema(part, `${path}.allOf[${i}]`)), `${path}.allOf[${i}]`),
      rest,
    );
  }

  function resolve(reference: unknown, path: string): Node {
    if (typeof reference !== 'string') throw new SchemaError(`${path}.$ref must be a string`);
    const target = findReference(root, reference, path);
    const found = resolved.get(reference) ?? later(() => write(target, reference));
    resolved.set(reference, found);
    // Compiles it now to report its errors, unless that is already in progress.
    if (!reading.has(reference)) {
      reading.add(reference);
      if (found.kind === 'later') found.get();
    }
    return found;
  }

  function writeTypes(given: Keywords, path: string): Node {
    return choice(...typesOf(given, path).map(type => writeType(type, given, path)));
  }

  function writeType(type: Type, given: Keywords, path: string): Node {
    if (type === 'null') return text('null');
    if (type === 'boolean') return choice(text('true'), text('false'));
    if (type === 'integer' || type === 'number') return writeNumber(type, given, path);
    if (type === 'string') return writeString(given, path);
    return type === 'array' ? writeArray(given, path) : writeObject(given, path, { write, join, inline });
  }

  function writeArray(given: Keywords, path: string): Node {
    const first = given.prefixItems ?? (Array.isArray(given.items) ? given.items : undefined);
    const others = Array.isArray(given.items) ? given.additionalItems : given.items;
    const prefix = first === undefined ? [] : requireList(first, `${path}.prefixItems`);
    const min = readCount(given, 'minItems', path) ?? 0;
    const max = readCount(given, 'maxItems', path) ?? Number.POSITIVE_INFINITY;
    if (given.uniqueItems === true && max > 1) return writeSet({ min, max, prefix, others }, path);
    if (min > MOST_ITEMS)
      throw new UnenforceableError(
        path,
        'minItems',
        `${path}.minItems: at most ${MOST_ITEMS} can be enforced`,
      );
    const itemAt = (i: number) =>
      i < prefix.length
        ? write(prefix[i], `${path}.prefixItems[${i}]`)
        : write(others ?? true, `${path}.items`);
    // Compiles the items now to report their errors.
    for (let i = 0; i <= prefix.length; i++) itemAt(i);
    const from = remember((i: number): Node => {
      const end = i >= min && i <= max ? NOTHING : NEVER;
      if (i >= max) return end;
      const separator = i === 0 ? NOTHING : sequence(text(','), space);
      return choice(
        end,
        sequence(
          separator,
          itemAt(i),
          later(() => from(next(i + 1))),
        ),
      );
    });
    /** From here on, all items follow the same rule. */
    const next = (i: number) =>
      max === Number.POSITIVE_INFINITY ? Math.min(i, Math.max(min, prefix.length, 1)) : i;
    return sequence(text('['), space, from(0), space, text(']'));
  }

  /** A `uniqueItems` array. The grammar must know what was written, so the schema has to list all possible items. */
  function writeSet({ min, max, prefix, others }: Items, path: string): Node {
    const values =
      prefix.length === 0 ? listValues(inline(requireSchema(others ?? true, `${path}.items`))) : null;
    if (!values || values.length > LARGEST_SET) throw new UnenforceableError(path, 'uniqueItems');
    if (min > values.length || max === 0) return max === 0 && min === 0 ? text('[]') : NEVER;
    const from = remember((used: number): Node => {
      const count = values.filter((_, i) => used & (1 << i)).length;
      const end = count >= min ? NOTHING : NEVER;
      if (count >= max) return end;
      const separator = count === 0 ? NOTHING : sequence(text(','), space);
      const options = values.flatMap((value, i) =>
        used & (1 << i)
          ? []
          : [
              sequence(
                separator,
                writeValue(value),
                later(() => from(used | (1 << i))),
              ),
            ],
      );
      return choice(end, ...options);
    });
    return sequence(text('['), space, from(0), space, text(']'));
  }

  const anyValue: Node = later(() =>
    choice(
      ...(['null', 'boolean', 'number', 'string', 'array', 'object'] as const).map(type =>
        writeType(type, {}, '*'),
      ),
    ),
  );
  return write(root, '$');
}

/** Compilation budget, in schema parts that are merged or compared. Writing one counts as several. */
const [MOST_WORK, WRITING] = [200_000, 10];

function sizeOf(schema: JsonSchema): number {
  if (typeof schema === 'boolean') return 1;
  const { properties, required } = schema;
  return 1 + [properties, required].reduce<number>((sum, part) => sum + Object.keys(part ?? {}).length, 0);
}

/** Bounds the search. */
const MOST_ITEMS = 1000;

/** The most different values of a `uniqueItems` array. */
const LARGEST_SET = 16;

interface Items {
  min: number;
  max: number;
  prefix: readonly unknown[];
  others: unknown;
}

/** All values that a schema allows; null if it does not list them. */
function listValues(schema: JsonSchema): unknown[] | null {
  if (typeof schema === 'boolean') return null;
  const listed = schema.const === undefined ? schema.enum : [schema.const];
  const others = CONSTRAINING.filter(
    name => !['type', 'enum', 'const'].includes(name) && schema[name] !== undefined,
  );
  if (Array.isArray(listed)) {
    if (others.length > 0) return null;
    const different: unknown[] = [];
    for (const value of fittingValues(listed, schema, '$')) {
      if (!different.some(other => isDeepStrictEqual(value, other))) different.push(value);
      if (different.length > LARGEST_SET) break;
    }
    return different;
  }
  if (schema.type === 'boolean') return others.length === 0 ? [true, false] : null;
  const { type, minimum, maximum } = schema;
  const isShort = type === 'integer' && Number(maximum) - Number(minimum) < LARGEST_SET;
  if (!isShort || others.some(name => name !== 'minimum' && name !== 'maximum')) return null;
  const first = Math.ceil(Number(minimum));
  return Array.from({ length: Math.max(0, Math.floor(Number(maximum)) - first + 1) }, (_, i) => first + i);
}

const COMBINING = ['$ref', 'enum', 'const', 'allOf', 'anyOf', 'oneOf'] as const;

/** Whether one schema's types are a subset of another's. */
function isNarrower(option: JsonSchema, wider: Keywords, path: string): boolean {
  if (typeof option === 'boolean' || option.type === undefined) return false;
  const types = typesOf(wider, path);
  return typesOf(option, path).every(
    type => types.includes(type) || (type === 'integer' && types.includes('number')),
  );
}

/** The values of `enum` or `const`. */
function writeValues(given: Keywords, others: readonly string[], path: string): Node {
  const odd = others.find(name => !VALUE_KEYWORDS.includes(name));
  if (odd)
    throw new UnenforceableError(path, odd, `${path}.${odd} beside a list of values cannot be enforced`);
  const listed = given.enum === undefined ? [given.const] : requireList(given.enum, `${path}.enum`);
  return choice(...fittingValues(listed, given, path).map(writeValue));
}

/** Keywords that also apply to listed values. */
const VALUE_KEYWORDS = ['type', 'enum', 'const', 'pattern', 'notPattern', 'format', 'minLength', 'maxLength'];

function fittingValues(listed: readonly unknown[], given: Keywords, path: string): unknown[] {
  const types = given.type === undefined ? null : typesOf(given, path);
  return listed.filter(
    value =>
      (given.const === undefined || JSON.stringify(value) === JSON.stringify(given.const)) &&
      (!types || types.some(type => isOfType(value, type))) &&
      (typeof value !== 'string' || fitsString(value, given, path)),
  );
}

function writeValue(value: unknown): Node {
  if (typeof value !== 'object' || value === null) return text(JSON.stringify(value));
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map(writeValue)
    : Object.entries(value).map(([name, part]) =>
        sequence(text(`${JSON.stringify(name)}:`), space, writeValue(part)),
      );
  const separated = parts.flatMap((part, i) => (i === 0 ? [part] : [text(','), space, part]));
  return sequence(text(isList ? '[' : '{'), space, ...separated, space, text(isList ? ']' : '}'));
}

function isOfType(value: unknown, type: Type): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}
