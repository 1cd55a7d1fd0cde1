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

/**
 * Says what is wrong in the branch that got furthest, if possible one of the value's own `type`; if the value begins none,
 * which ones there are.
 */
function describeUnion(
  issue: z.core.$ZodIssueInvalidUnion,
  whole: string,
  path: readonly PropertyKey[],
): Fault {
  const firsts = issue.errors.flatMap(errors => errors.slice(0, 1));
  const begun = firsts.filter(first => first.path.length > 0 || !BEGINS_NOT.has(first.code));
  const furthest = begun.find(first => !isOfOtherType(first)) ?? begun[0];
  if (furthest) return describe(furthest, whole, path);
  const name = writePath(path);
  const known = [...new Set(firsts.map(expectedValue))];
  const isMissing = issue.input === undefined && known.length > 0;
  const needed = known.length > 0 ? `must be ${known.join(' or ')}` : 'is missing or has an unknown value';
  const message = `${name ? `\`${name}\`` : whole} ${isMissing ? 'is required' : needed}.`;
  return { path: name, code: 'invalid_value', message };
}

/** Codes of branches that expect another type, or another value. */
const BEGINS_NOT: ReadonlySet<Issue['code']> = new Set(['invalid_type', 'invalid_value']);

const isOfOtherType = ({ code, path }: Issue) =>
  code === 'invalid_value' && path.length === 1 && path[0] === 'type';

const expectedValue = (issue: Issue) =>
  issue.code === 'invalid_value' ? oneOf(issue.values) : expectedType(issue);

const oneOf = (values: readonly unknown[]) =>
  `${values.length > 1 ? 'one of ' : ''}${values.map(value => `\`${String(value)}\``).join(', ')}`;

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
      return `must be ${oneOf(issue.values)}`;
    case 'invalid_format':
      return FORMAT_SENTENCES[issue.format] ?? issue.message;
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
  null: '`null`',
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
