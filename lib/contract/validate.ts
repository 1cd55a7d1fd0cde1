// Turns schema failures into contract errors: which field is wrong and why, in one sentence.
import * as z from 'zod/mini';
import { ApiError, type ErrorCode } from './errors.js';
import type { Schema } from './route.js';

type Issue = z.core.$ZodIssue;

/** Some clients send this body even to routes that take none. */
export const emptyBody = z.strictObject({});

/** Returns the parsed value, or throws an `ApiError` with status 400 that names the field. */
export function parseRequest<const S extends Schema>(schema: S, value: unknown): z.output<S> {
  const result = z.safeParse(schema, value, { reportInput: true });
  if (result.success) return result.data;
  const { path, code, message } = describe(result.error.issues[0]!, 'The body');
  throw new ApiError(code, message, { param: path || null });
}

/** A parsed response; unknown fields are dropped. `what` names the call in the error. */
export function parseResponse<const S extends Schema>(schema: S, value: unknown, what: string): z.output<S> {
  const result = z.safeParse(schema, value, { reportInput: true });
  if (result.success) return result.data;
  const { message } = describe(result.error.issues[0]!, 'The answer');
  throw new ApiError('unexpected_response', `${what} returned an unexpected response: ${message}`);
}

/** The problem with a value, in a sentence that never quotes the value; null if it is valid. */
export function findFault(schema: Schema, value: unknown, subject: string): string | null {
  const result = z.safeParse(schema, value, { reportInput: true });
  return result.success ? null : describe(result.error.issues[0]!, subject).message;
}

interface Fault {
  path: string;
  code: ErrorCode;
  message: string;
}

/** `whole` is the subject of an error that belongs to no field. */
function describe(issue: Issue, whole: string, parent: readonly PropertyKey[] = []): Fault {
  const path = [...parent, ...issue.path];
  if (issue.code === 'invalid_union') return describeUnion(issue, whole, path);
  if (issue.code === 'unrecognized_keys') {
    const name = writePath([...path, issue.keys[0]!]);
    return { path: name, code: 'unknown_field', message: `\`${name}\` is not a known field.` };
  }
  const name = writePath(path);
  const subject = name ? `\`${name}\`` : whole;
  return { path: name, code: codeFor(issue, name), message: `${subject} ${explain(issue)}.` };
}

/** Picks the union branch that got furthest; one that failed immediately only names a type. */
function describeUnion(
  issue: z.core.$ZodIssueInvalidUnion,
  whole: string,
  path: readonly PropertyKey[],
): Fault {
  const branches = issue.errors.filter(errors => errors.length > 0);
  const deepest = branches.find(errors => errors[0]!.path.length > 0 || errors[0]!.code !== 'invalid_type');
  if (deepest) return describe(deepest[0]!, whole, path);
  const name = writePath(path);
  const types = branches.map(errors => expectedType(errors[0]!));
  const message = types.length > 0 ? `must be ${types.join(' or ')}` : 'is missing or has an unknown value';
  return { path: name, code: 'invalid_value', message: `${name ? `\`${name}\`` : whole} ${message}.` };
}

function codeFor(issue: Issue, path: string): ErrorCode {
  if (issue.code === 'custom' && issue.params?.code) return issue.params.code as ErrorCode;
  return path === 'slug' && issue.code !== 'invalid_type' ? 'slug_invalid' : 'invalid_value';
}

function explain(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${expectedType(issue)}`;
    case 'too_small':
      return `must ${measure(issue.origin)} ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unit(issue.origin, issue.minimum)}`;
    case 'too_big':
      return `must ${measure(issue.origin)} ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${unit(issue.origin, issue.maximum)}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(value => `\`${String(value)}\``).join(', ')}`;
    case 'invalid_format':
      return describeFormat(issue);
    default:
      return issue.message || 'is not valid';
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'an object',
  record: 'an object',
  int: 'a whole number',
  boolean: '`true` or `false`',
};

function expectedType(issue: Issue): string {
  const expected = issue.code === 'invalid_type' ? issue.expected : issue.code;
  return TYPE_NAMES[expected] ?? `a ${expected}`;
}

const FORMAT_SENTENCES: Readonly<Record<string, string>> = {
  guid: 'must be a UUID',
  url: 'must be a URL that starts with http:// or https://',
  datetime: 'must be an ISO 8601 time',
};

function describeFormat(issue: z.core.$ZodIssueInvalidStringFormat): string {
  if (issue.path.at(-1) === 'slug') {
    return 'must contain only lowercase letters, digits and hyphens, and start and end with a letter or digit';
  }
  if (issue.format === 'regex' && issue.pattern?.includes('\\p{Cc}'))
    return 'must not contain control characters';
  return FORMAT_SENTENCES[issue.format] ?? `must match ${issue.pattern ?? issue.format}`;
}

function measure(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have' : 'be';
}

function unit(origin: string, count: number | bigint): string {
  const noun = origin === 'string' ? 'character' : origin === 'array' ? 'entry' : null;
  if (!noun) return '';
  return ` ${count === 1 ? noun : noun === 'entry' ? 'entries' : `${noun}s`}`;
}

function writePath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${String(part)}` : String(part),
    '',
  );
}
