// What `distil` is given, and what may be wrong with it.
import { OptionError } from '../../contract/index.js';
import { findServerFault } from '../openai-api/address.js';

/** A server with OpenAI's chat completions. */
export interface DistilTeacher {
  /** Of an API like OpenAI's, with the version: `http://127.0.0.1:11434/v1`. */
  baseURL: string;
  model: string;
  /**
   * Default: the environment variable `OPENAI_API_KEY`, if the address starts with https:// or is on this machine. Null sends no
   * key.
   */
  apiKey?: string | null | undefined;
}

/**
 * A question, or a row with one: `prompt`, `messages`, `conversations`, `instruction` or, for a task, `input`. An answer that it has is
 * ignored.
 */
// biome-ignore lint/suspicious/noExplicitAny: the columns of a data set are whatever its author chose.
export type DistilPrompt = string | Record<string, any>;

/** What an answer was given to, and how. */
export interface DistilAnswerContext {
  /** The prompt as it was given. */
  row: DistilPrompt;
  /** The conversation that the student will see, without the answer. */
  messages: readonly { role: string; content?: unknown }[];
  /** The functions that the teacher called instead of, or besides, answering. */
  toolCalls: readonly unknown[];
  /** Which of the prompt's `samples` it is, from 0. */
  sample: number;
}

/** How a teacher's distribution is learned. */
export interface DistilSoft {
  /** Of how far the student is from the teacher, beside the loss of the answers. Default: 0.5. */
  weight?: number | undefined;
  /** How many tokens the teacher names at each place, from 1 to 20. Default: 20. */
  topLogprobs?: number | undefined;
}

/** Who is asked what, and which answers become rows. */
export interface DistilOptions {
  teacher: DistilTeacher;
  /** A file of the project, or the prompts themselves. Rows are in their order. */
  prompts: string | readonly DistilPrompt[];
  /** Tells the teacher what to do, in place of a system message of the prompt. It is not part of the rows. */
  system?: string | undefined;
  /** How many answers to ask for each prompt. Each is a row. Default: 1. */
  samples?: number | undefined;
  /** Longer answers are cut off, and left out. Default: 1024. */
  maxTokens?: number | undefined;
  /** Default: 0 for one sample, and otherwise the teacher's own. Null leaves it to the teacher. */
  temperature?: number | null | undefined;
  /** Further fields of the request, such as `response_format` or `reasoning_effort`. */
  request?: Readonly<Record<string, unknown>> | undefined;
  /** Decides whether an answer becomes a row. Runs in your process, several at a time. */
  keep?: ((answer: string, context: DistilAnswerContext) => boolean | Promise<boolean>) | undefined;
  /**
   * Also learns what the teacher expected at each token of an answer, which says more than the answer. The teacher has to have the
   * student's tokenizer, and to return `logprobs`. Default: false.
   */
  soft?: boolean | DistilSoft | undefined;
  /** How many answers are asked for at a time. Default: 4. */
  concurrency?: number | undefined;
  /** Dollars for a million tokens, to count what the answers cost. */
  prices?: { input: number; output: number } | undefined;
}

/** A data set of a teacher's answers, from `distil`. */
export interface DistilledData extends DistilOptions {
  type: 'distilled';
}

/** With the defaults. */
export type DistilSettings = Omit<DistilOptions, 'soft'> &
  Record<'samples' | 'maxTokens' | 'concurrency', number> & {
    /** Null if only answers are learned. */
    soft: { weight: number; topLogprobs: number } | null;
  };

const SOFT_DEFAULTS = { weight: 0.5, topLogprobs: 20 };
const DEFAULTS = { samples: 1, maxTokens: 1024, concurrency: 4 };
const MOST_SAMPLES = 100;
const MOST_AT_ONCE = 256;
/** Of OpenAI's API. */
const MOST_LOGPROBS = 20;

/**
 * A data set whose rows are a teacher's answers to prompts. Nothing is asked until a run starts or its data is checked; answers
 * are kept in `.svc/distilled`, and none is asked for twice.
 */
export function distil(options: DistilOptions): DistilledData {
  const fault = findDistilFault(options);
  if (fault) throw new OptionError(`distil: ${fault}`);
  return { type: 'distilled', ...options };
}

export function toSettings({ soft, ...options }: DistilOptions): DistilSettings {
  const isSoft = soft !== undefined && soft !== false;
  return {
    ...DEFAULTS,
    ...withoutGaps(options),
    soft: isSoft ? { ...SOFT_DEFAULTS, ...withoutGaps(soft === true ? {} : soft) } : null,
  } as DistilSettings;
}

function withoutGaps(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

export const DISTIL_OPTIONS = [
  'teacher',
  'prompts',
  'system',
  'samples',
  'maxTokens',
  'temperature',
  'request',
  'keep',
  'soft',
  'concurrency',
  'prices',
] as const satisfies readonly (keyof DistilOptions)[];

const FIXED_FIELDS = [
  'model',
  'messages',
  'tools',
  'stream',
  'n',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'logprobs',
  'top_logprobs',
];

/** A sentence that starts with the option. */
export function findDistilFault(options: DistilOptions): string | null {
  if (!isObject(options)) return 'pass an object with options.';
  const unknown = Object.keys(options).find(
    name => name !== 'type' && !(DISTIL_OPTIONS as readonly string[]).includes(name),
  );
  if (unknown !== undefined) return `\`${unknown}\` is not an option.`;
  const { prompts, system, temperature, request, keep, prices } = options;
  const { samples, maxTokens, concurrency } = toSettings(options);
  if (!(typeof prompts === 'string' ? prompts !== '' : Array.isArray(prompts)))
    return '`prompts` must be the path of a file, or a list of prompts.';
  if (system !== undefined && typeof system !== 'string') return '`system` must be a text.';
  if (!isCount(samples, MOST_SAMPLES)) return `\`samples\` must be a whole number from 1 to ${MOST_SAMPLES}.`;
  if (!isCount(maxTokens)) return '`maxTokens` must be a whole number from 1 on.';
  if (!isCount(concurrency, MOST_AT_ONCE))
    return `\`concurrency\` must be a whole number from 1 to ${MOST_AT_ONCE}.`;
  if (temperature != null && !(typeof temperature === 'number' && temperature >= 0 && temperature <= 2))
    return '`temperature` must be a number from 0 to 2, or null.';
  if (temperature === 0 && samples > 1) return '`samples` are all the same at a `temperature` of 0.';
  if (request !== undefined && !isObject(request)) return '`request` must be an object.';
  const fixed = FIXED_FIELDS.find(name => Object.hasOwn(request ?? {}, name));
  if (fixed) return `\`request.${fixed}\` is decided by the other options.`;
  if (keep !== undefined && typeof keep !== 'function') return '`keep` must be a function.';
  const softFault = findSoftFault(options.soft);
  if (softFault) return softFault;
  if (prices !== undefined && !(isObject(prices) && isPrice(prices.input) && isPrice(prices.output)))
    return '`prices` must have `input` and `output`, in dollars for a million tokens.';
  return findTeacherFault(options.teacher);
}

function findSoftFault(soft: DistilOptions['soft']): string | null {
  if (soft === undefined || typeof soft === 'boolean') return null;
  if (!isObject(soft)) return '`soft` must be true, or an object with `weight` and `topLogprobs`.';
  const unknown = Object.keys(soft).find(name => !Object.hasOwn(SOFT_DEFAULTS, name));
  if (unknown !== undefined) return `\`soft.${unknown}\` is not an option.`;
  const { weight, topLogprobs } = { ...SOFT_DEFAULTS, ...withoutGaps(soft) };
  if (!(isPrice(weight) && weight > 0)) return '`soft.weight` must be a number above 0.';
  return isCount(topLogprobs, MOST_LOGPROBS)
    ? null
    : `\`soft.topLogprobs\` must be a whole number from 1 to ${MOST_LOGPROBS}.`;
}

function findTeacherFault(teacher: DistilTeacher): string | null {
  if (!isObject(teacher)) return '`teacher` must have a `baseURL` and a `model`.';
  const { baseURL, model, apiKey } = teacher;
  const unknown = Object.keys(teacher).find(name => !['baseURL', 'model', 'apiKey'].includes(name));
  if (unknown !== undefined) return `\`teacher.${unknown}\` is not an option.`;
  if (typeof baseURL !== 'string') return '`teacher.baseURL` must be the address of an API like OpenAI’s.';
  if (typeof model !== 'string' || model === '') return '`teacher.model` must name a model.';
  if (apiKey != null && typeof apiKey !== 'string') return '`teacher.apiKey` must be a text, or null.';
  const fault = findServerFault(teacher);
  return fault && `\`teacher\`: ${fault}`;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown, most = Number.MAX_SAFE_INTEGER) =>
  Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= most;
const isPrice = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
