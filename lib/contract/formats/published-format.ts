// Rules shared by the published formats: null in a request means absent, and unsupported features are refused by name unless
// the value requests nothing. Also the fields that generated text has in several formats.
import * as z from 'zod/mini';
import { ApiError } from '../errors.js';
import { boundList, identifier, step, textLike } from '../text.js';

/** Unsupported fields, each with the values that request nothing. */
export type Features = Readonly<Record<string, (value: unknown) => boolean>>;

export const NEVER_NEUTRAL = () => false;

/** Throws for the first unsupported feature that is requested. */
export function refuseFeatures(given: Readonly<Record<string, unknown>>, features: Features): void {
  for (const [name, isNeutral] of Object.entries(features))
    if (name in given && !isNeutral(given[name])) throw unsupported(name);
}

export function unsupported(param: string, hint = 'leave it out'): ApiError {
  return new ApiError('unsupported_parameter', `\`${param}\` is not supported here; ${hint}.`, { param });
}

/** Throws for the first entry of another type. Does nothing if `list` is not an array. */
export function refuseOtherTypes(
  place: string,
  list: unknown,
  types: readonly unknown[],
  hint: string,
): void {
  if (!Array.isArray(list)) return;
  const i = list.findIndex((entry: { type?: unknown } | null) => !types.includes(entry?.type));
  if (i >= 0) throw unsupported(`${place}[${i}].type`, hint);
}

export function requireObject(body: unknown): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  throw new ApiError('invalid_value', 'The body must be a JSON object.');
}

/** Nothing in the formats nests deeper than this. */
const DEEPEST = 50;

/**
 * Removes fields that are null; `structured` names the fields to descend into. Other fields hold data, where null means
 * null.
 */
export function dropNulls(value: unknown, structured: ReadonlySet<string>, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) throw new ApiError('invalid_value', 'The body is nested too deeply.');
  if (Array.isArray(value)) {
    const kept = value.map(part => dropNulls(part, structured, depth + 1));
    return kept.some((part, i) => part !== value[i]) ? kept : value;
  }
  const changed = new Map<string, unknown>();
  for (const [name, part] of Object.entries(value)) {
    const kept = structured.has(name) ? dropNulls(part, structured, depth + 1) : part;
    if (part === null || kept !== part) changed.set(name, kept);
  }
  return changed.size === 0 ? value : replaceFields(value, changed);
}

/** Null removes a field. */
function replaceFields(value: object, changed: ReadonlyMap<string, unknown>): object {
  const fields = Object.entries(value).map(([name, part]) => [
    name,
    changed.has(name) ? changed.get(name) : part,
  ]);
  return Object.fromEntries(fields.filter(([, part]) => part !== null));
}

export function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

export const temperature = z.number().check(z.gte(0), z.lte(2));
export const topP = z.number().check(z.gte(0), z.lte(1));
/** Below 1 it sets no limit. OpenAI's format lacks it, but other servers of that format have it. */
export const topK = z.int().check(z.gte(-1));
export const penalty = z.number().check(z.gte(-2), z.lte(2));
const stopText = z.string().check(z.maxLength(4096));
const stopTexts = z.array(stopText).check(z.maxLength(4));
export const stop = z.union([stopText, boundList(stopTexts, 4)]);
export const seed = z.int();
/** As many as are generated at a time. */
export const choiceCount = z.int().check(z.gte(1), z.lte(8));

/** The limit in the published format. */
const MOST_BIASES = 300;

/** Keyed by token ID. */
export const logitBias = z
  .record(
    textLike(/^\d{1,9}$/, 'the ID of a token'),
    z.number().check(z.gte(-100), z.lte(100)),
    'must be named with the ID of a token',
  )
  .check(
    z.refine(biases => Object.keys(biases).length <= MOST_BIASES, {
      error: `must have at most ${MOST_BIASES} tokens`,
    }),
  );

/** The limit in the published format. */
const MOST_METADATA = 16;

/** Zod's record schema would silently ignore this key. */
export function refuseProto<S extends z.ZodMiniType>(record: S): S {
  const look = z.transform((given: unknown, { issues }) => {
    if (typeof given === 'object' && given !== null && Object.hasOwn(given, '__proto__'))
      issues.push({ code: 'custom', message: 'must not have the key `__proto__`', input: given });
    return given;
  });
  return z.pipe(look, record) as unknown as S;
}

export const metadata = refuseProto(
  z
    .record(
      z.string().check(z.refine(key => key.length <= 64)),
      z.string().check(z.maxLength(512)),
      'must have keys of at most 64 characters, and texts as values',
    )
    .check(
      z.refine(given => Object.keys(given).length <= MOST_METADATA, {
        error: `must have at most ${MOST_METADATA} entries`,
      }),
    ),
);

/** Set from the request, or from the model's files. */
const OWN_VARIABLES = [
  'messages',
  'tools',
  'documents',
  'add_generation_prompt',
  'continue_final_message',
  'chat_template',
  'tokenize',
  'bos_token',
  'eos_token',
  'pad_token',
  'unk_token',
];

/** Throws for variables of a chat template that a request cannot set. */
export function refuseTemplateVariables(variables: unknown): void {
  if (typeof variables !== 'object' || variables === null) return;
  const name = OWN_VARIABLES.find(own => Object.hasOwn(variables, own));
  if (name !== undefined) throw unsupported(`chat_template_kwargs.${name}`);
}

const MOST_VARIABLES = 32;
const MOST_VARIABLE_CHARACTERS = 16_384;
const DEEPEST_VARIABLE = 10;

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every(inner => isShallow(inner, levels - 1));
}

/** Other variables of a chat template, as vLLM names and takes them. A template ignores those that it does not know. */
export const templateVariables = refuseProto(
  z.record(identifier, z.unknown(), 'must be an object with variable names as keys').check(
    z.refine(given => Object.keys(given).length <= MOST_VARIABLES, {
      error: `must have at most ${MOST_VARIABLES} entries`,
    }),
    z.refine(given => isShallow(given, DEEPEST_VARIABLE), {
      error: `must not be nested deeper than ${DEEPEST_VARIABLE} levels`,
    }),
    z.refine(given => JSON.stringify(given).length <= MOST_VARIABLE_CHARACTERS, {
      error: `must have at most ${MOST_VARIABLE_CHARACTERS} characters as JSON`,
    }),
  ),
);

export const usage = z.object({
  prompt_tokens: step,
  completion_tokens: step,
  total_tokens: step,
  prompt_tokens_details: z.optional(z.object({ cached_tokens: step, audio_tokens: z.optional(step) })),
  completion_tokens_details: z.optional(
    z.object({
      reasoning_tokens: step,
      audio_tokens: step,
      accepted_prediction_tokens: step,
      rejected_prediction_tokens: step,
    }),
  ),
});
