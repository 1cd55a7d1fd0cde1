// JSON schema keywords about strings and property names.
import {
  fits,
  isBeyondPatterns,
  longestOf,
  PatternError,
  type Patterns,
  patternOfFormat,
} from '../pattern/index.js';
import {
  CONSTRAINING,
  type JsonSchema,
  type Keywords,
  readCount,
  requireList,
  SchemaError,
  UnenforceableError,
} from './keywords.js';
import { match, NEVER, type Node, sequence, text } from './machine.js';
import { MOST_DEMANDED, stringRest } from './matcher.js';
import { patternRest, type StringLimits } from './pattern-string.js';

/** One value, or several from merged schemas. */
function readTexts(given: Keywords, name: string, path: string): string[] {
  const values = [given[name] ?? []].flat();
  for (const value of values)
    if (typeof value !== 'string') throw new SchemaError(`${path}.${name} must be a string`);
  return values as string[];
}

/** A leading lookahead that only limits the length, as zod's for host names: an automaton would multiply its states by it. */
const LENGTH_AHEAD = /^\^\(\?=\.\{(\d+),(\d+)\}(?:\\\.\?)?\$\)/;

function patternsOf(given: Keywords, path: string): Patterns {
  return [
    ...readTexts(given, 'pattern', path).flatMap(source =>
      LENGTH_AHEAD.test(source)
        ? [{ source: source.replace(LENGTH_AHEAD, '^') }, { source: '^.*$' }]
        : [{ source }],
    ),
    ...readTexts(given, 'notPattern', path).map(source => ({ source, isNegative: true })),
  ];
}

function formatsOf(given: Keywords, path: string): Patterns {
  return readTexts(given, 'format', path).flatMap(format => {
    if (isBeyondPatterns(format))
      throw new UnenforceableError(
        path,
        'format',
        `${path}.format: ${JSON.stringify(format)} cannot be enforced`,
      );
    const source = patternOfFormat(format);
    return source ? [{ source }] : [];
  });
}

export function writeString(given: Keywords, path: string): Node {
  const limits = readLengths(given, path);
  const [patterns, formats] = [patternsOf(given, path), formatsOf(given, path)];
  const rest = writeRest({ ...limits, patterns: [...patterns, ...formats] }, path);
  // zod adds a pattern to each format, and some of its formats differ from the standard's.
  return (
    rest ?? ((patterns.length > 0 && formats.length > 0 && writeRest({ ...limits, patterns }, path)) || NEVER)
  );
}

function readLengths(given: Keywords, path: string): { min: number; max: number } {
  const ahead = readTexts(given, 'pattern', path).flatMap(source => {
    const found = LENGTH_AHEAD.exec(source);
    return found ? [{ min: Number(found[1]), max: Number(found[2]) }] : [];
  });
  return {
    min: Math.max(readCount(given, 'minLength', path) ?? 0, ...ahead.map(({ min }) => min)),
    max: Math.min(
      readCount(given, 'maxLength', path) ?? Number.POSITIVE_INFINITY,
      ...ahead.map(({ max }) => max),
      ...readTexts(given, 'format', path).map(longestOf),
    ),
  };
}

/** A string with these constraints; null if none can satisfy them. */
export function writeRest(
  limits: StringLimits & { min: number; max: number },
  path: string,
  keyword = 'pattern',
): Node | null {
  if (limits.min > limits.max) return null;
  if (limits.min > MOST_DEMANDED) throw tooLong(path, keyword === 'pattern' ? 'minLength' : keyword);
  if (limits.patterns.length === 0) return sequence(text('"'), match(stringRest(limits)));
  try {
    const rest = patternRest(limits);
    return rest && sequence(text('"'), match(rest));
  } catch (error) {
    if (error instanceof PatternError)
      throw new UnenforceableError(path, keyword, `${path}.${keyword}: ${error.message}`);
    throw error;
  }
}

const tooLong = (path: string, keyword: string) =>
  new UnenforceableError(
    path,
    keyword,
    `${path}.${keyword === 'minLength' ? '' : `${keyword}.`}minLength: at most ${MOST_DEMANDED} can be enforced`,
  );

/** Whether the schema allows this string. */
export function fitsString(value: string, given: Keywords, path: string): boolean {
  const { min, max } = readLengths(given, path);
  const length = [...value].length;
  return (
    length >= min && length <= max && fits([...patternsOf(given, path), ...formatsOf(given, path)], value)
  );
}

interface NameLimits {
  readonly patterns: Patterns;
  readonly min?: number;
  readonly max?: number;
  readonly listed?: readonly string[];
  fits(name: string): boolean;
}

/** The constraints of `propertyNames`. */
export function readName(schema: JsonSchema, parent: string): NameLimits | null {
  const path = `${parent}.propertyNames`;
  if (schema === true) return null;
  if (schema === false) return { patterns: [], listed: [], fits: () => false };
  const odd = CONSTRAINING.find(name => schema[name] !== undefined && !OF_NAMES.includes(name));
  if (odd) throw new UnenforceableError(parent, 'propertyNames', `${path}.${odd} cannot be enforced`);
  const values = schema.const === undefined ? schema.enum : [schema.const];
  const listed = values === undefined ? undefined : requireList(values, `${path}.enum`).map(String);
  const isListed = (name: string) => !listed || listed.includes(name);
  return {
    ...readLengths(schema, path),
    patterns: [...patternsOf(schema, path), ...formatsOf(schema, path)],
    ...(listed && { listed }),
    fits: name => isListed(name) && fitsString(name, schema, path),
  };
}

const OF_NAMES = ['type', 'pattern', 'format', 'minLength', 'maxLength', 'enum', 'const'];
