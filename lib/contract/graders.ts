// Graders in OpenAI's format: how an answer becomes a reward. What svc does not compute is refused by name.
import * as z from 'zod/mini';
import { boundList, identifier, printable } from './text.js';

const LONGEST_TEMPLATE = 100_000;
const MOST_MESSAGES = 50;
const MOST_LABELS = 100;
const MOST_GRADERS = 32;

/** May have placeholders: `{{ item.answer }}`, `{{ sample.output_text }}`. */
const template = z.string().check(z.maxLength(LONGEST_TEMPLATE));

/** In the format, but not here. */
function refused(message: string) {
  return z.check<unknown>(({ value: input, issues }) => {
    issues.push({ code: 'custom', params: { code: 'unsupported_parameter' }, message, input });
  });
}

/** How a trainer's grader names a server. */
const SERVER_FIELDS = ['baseURL', 'base_url', 'apiKey', 'api_key'];

function refusesFields(fields: readonly string[], message: string, mayBeNull = false) {
  return z.check<object>(({ value, issues }) => {
    const given = value as Record<string, unknown>;
    const isGiven = (name: string) => Object.hasOwn(given, name) && !(mayBeNull && given[name] === null);
    const field = fields.find(isGiven);
    if (field === undefined) return;
    const params = { code: 'unsupported_parameter' };
    issues.push({ code: 'custom', params, path: [field], message, input: undefined });
  });
}

/** The cloud keeps graders, and answers with them: no key may be in one. */
const namesNoServer = refusesFields(
  SERVER_FIELDS,
  'cannot be sent to a cloud, which asks no server that a grader names and keeps no key for one; a trainer with this grader asks it in its own process',
);

const name = printable(100);

const stringCheck = z.looseObject({
  type: z.literal('string_check'),
  name,
  input: template,
  reference: template,
  /** `like`: the input contains the reference; `ilike`: whatever the case. */
  operation: z.enum(['eq', 'ne', 'like', 'ilike']),
});

/** @internal */
export const SIMILARITIES = [
  'fuzzy_match',
  'bleu',
  'gleu',
  'rouge_1',
  'rouge_2',
  'rouge_3',
  'rouge_4',
  'rouge_5',
  'rouge_l',
] as const;

export type Similarity = (typeof SIMILARITIES)[number];

const REFUSED_METRICS: Readonly<Record<string, string>> = {
  meteor: 'it needs WordNet',
  cosine: 'it needs an embedding model',
};

const textSimilarity = z.looseObject({
  type: z.literal('text_similarity'),
  name,
  input: template,
  reference: template,
  evaluation_metric: z.string().check(
    z.check<string>(({ value: input, issues }) => {
      const why = REFUSED_METRICS[input];
      const message = `cannot be \`${input}\` here: ${why}`;
      if (why) issues.push({ code: 'custom', params: { code: 'unsupported_parameter' }, message, input });
      else if (!SIMILARITIES.includes(input as Similarity))
        issues.push({ code: 'invalid_value', values: [...SIMILARITIES], input });
    }),
  ) as z.ZodMiniType<Similarity, Similarity>,
});

const textContent = z.looseObject({ type: z.enum(['input_text', 'output_text']), text: template });
const content = z.union([template, textContent, boundList(z.array(z.union([template, textContent])), 20)]);

const messages = boundList(
  z
    .array(z.looseObject({ role: z.enum(['user', 'assistant', 'system', 'developer']), content }))
    .check(z.minLength(1)),
  MOST_MESSAGES,
);

const orNone = <const S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema));

const tokenLimit = orNone(z.int().check(z.gte(1)));

/** Settings of a chat that the cloud's questions for grades do not take. */
export const GRADED_WITHOUT: readonly string[] = [
  ...['n', 'stop', 'top_k', 'frequency_penalty', 'presence_penalty', 'logit_bias', 'logprobs'],
  ...['top_logprobs', 'response_format', 'structured_outputs', 'tools', 'tool_choice'],
  ...['chat_template_kwargs'],
];

const samplingParams = z
  .looseObject({
    temperature: orNone(z.number().check(z.gte(0), z.lte(2))),
    top_p: orNone(z.number().check(z.gte(0), z.lte(1))),
    seed: orNone(z.int()),
    max_completions_tokens: tokenLimit,
    /** The same limit, as chats call it. */
    max_completion_tokens: tokenLimit,
    max_tokens: tokenLimit,
    reasoning_effort: orNone(z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh'])),
  })
  .check(refusesFields(GRADED_WITHOUT, 'is not supported for a grader; leave it out', true));

const range = z
  .tuple([z.number(), z.number()])
  .check(z.refine(([low, high]) => low < high, { error: 'must have the lower bound first' }));

const judged = { name, input: messages, model: z.string().check(z.minLength(1), z.maxLength(300)) };

const scoreModel = z.looseObject({
  type: z.literal('score_model'),
  ...judged,
  /** Default: from 0 to 1. Scores outside are clamped. */
  range: z.optional(range),
  sampling_params: z.optional(samplingParams),
});

const labels = boundList(z.array(printable(200)).check(z.minLength(1)), MOST_LABELS);

const labelModel = z
  .looseObject({
    type: z.literal('label_model'),
    ...judged,
    labels,
    /** These give 1, the others 0. */
    passing_labels: labels,
    sampling_params: z.optional(samplingParams),
  })
  .check(
    z.refine(given => given.passing_labels.every(label => given.labels.includes(label)), {
      path: ['passing_labels'],
      error: 'must be among `labels`',
    }),
  );

const python = z
  .looseObject({ type: z.literal('python') })
  .check(
    refused(
      'cannot be a `python` grader: svc runs no code that a request brings. A reward in TypeScript runs in your own process',
    ),
  );

const partGrader = z
  .discriminatedUnion('type', [stringCheck, textSimilarity, scoreModel, labelModel, python])
  .check(namesNoServer);

const multi = z.looseObject({
  type: z.literal('multi'),
  name,
  /** By what a formula calls them. */
  graders: z.record(identifier, partGrader, 'must be named with letters, digits and underscores').check(
    z.refine(given => Object.keys(given).length > 0, { error: 'must have at least one grader' }),
    z.refine(given => Object.keys(given).length <= MOST_GRADERS, {
      error: `must have at most ${MOST_GRADERS} graders`,
    }),
  ),
  /** A formula over the rewards of `graders`, by their names. */
  calculate_output: z.string().check(z.minLength(1), z.maxLength(1000)),
});

export const grader = z
  .discriminatedUnion('type', [stringCheck, textSimilarity, scoreModel, labelModel, python, multi])
  .check(namesNoServer);

export type Grader = z.output<typeof grader>;
export type GraderOf<Type extends Grader['type']> = Extract<Grader, { type: Type }>;
export type PartGrader = Exclude<Grader, { type: 'multi' }>;

/** Graders by name, which OpenAI's API takes, where its types have a single one. */
export function nameSingleGrader(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const { graders } = given as { graders?: { type?: unknown; name?: unknown } | null };
  if (typeof graders?.type !== 'string' || typeof graders.name !== 'string') return given;
  return { ...given, graders: { [graders.name]: graders } };
}
