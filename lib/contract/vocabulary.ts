// The wire's constants and rules as plain values, for browser pages and code that use the contract without its schemas.

export const JOB_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;

export type JobStatus = (typeof JOB_STATUSES)[number];

const FINAL_STATUSES: ReadonlySet<JobStatus> = new Set(['completed', 'failed', 'cancelled']);

export function isFinalStatus(status: JobStatus): boolean {
  return FINAL_STATUSES.has(status);
}

/** The event names of a stream; others are ignored. */
export const JOB_EVENT_TYPES = [
  'training.preparing',
  'training.started',
  'training.log',
  'checkpoint.saved',
  'sample.generated',
  'score.recorded',
  'training.completed',
  'training.failed',
  'end',
] as const;

/** The precision of a base model's weights. `f16` is for GPUs with svc's own engine, `nf4` for training with PyTorch. */
export const WEIGHT_PRECISIONS = ['f32', 'f16', 'int8', 'nf4'] as const;

/** What a run computes on. */
export const DEVICES = ['cpu', 'gpu'] as const;

export const AUTH_MODES = ['fixed_api_key', 'none'] as const;

export type AuthMode = (typeof AUTH_MODES)[number];

/** People's marks for answers that an endpoint has kept. */
export const KEPT_MARKS = ['good', 'bad', 'corrected'] as const;

export type KeptMark = (typeof KEPT_MARKS)[number];

/**
 * How a score is measured: the share of rows that have it, a mean from 0 to 1, a distance, which is better if lower, or a reward, which
 * is any number and better if higher.
 */
export const SCORE_KINDS = ['share', 'mean', 'distance', 'reward'] as const;

/** What a comparison of two candidates on the same rows found. */
export const VERDICTS = ['better', 'worse', 'no_difference_found'] as const;

/** What has to hold before an endpoint serves something new, and what came of it. */
export const GATE_CHECKS = ['tests', 'rows', 'general'] as const;
export const GATE_OUTCOMES = ['passed', 'failed', 'skipped'] as const;
/** What was not to get all requests yet. */
export const GATE_TRIALS = ['dry_run', 'canary'] as const;

/** What evaluated answers are. */
export const EVALUATION_TASK_KINDS = ['labels', 'fields', 'text', 'calls', 'reward'] as const;

/** The most rows that an evaluation keeps, and the most evaluations that a project keeps. */
export const MOST_EVALUATION_ROWS = 1000;
export const MOST_EVALUATIONS = 100;

/** Sort keys for a job's rows. */
export const ROW_LOSS_SORTS = ['last', 'first', 'mean', 'rise'] as const;

export type RowLossSort = (typeof ROW_LOSS_SORTS)[number];

/** Findings in a data set, most serious first. */
export const DATA_FINDINGS = [
  'unreadable',
  'empty_answer',
  'nothing_learned',
  'too_long',
  'no_logprobs',
  'skipped',
  'cut',
  'no_end',
  'empty_turn',
  'lost_thought',
  'unknown_function',
  'wrong_arguments',
  'unmatched_result',
  'other_tokens',
  'in_both',
  'duplicate',
  'mixed_letters',
  'broken_characters',
  'tools_as_text',
  'near_duplicate',
  'conflicting',
  'rare_script',
  'long_line',
] as const;

export type DataFinding = (typeof DATA_FINDINGS)[number];

/** Errors make a run fail, warnings spoil it, and notes are worth a look. */
export const DATA_GRADES = ['error', 'warning', 'note'] as const;

/** How many rows to check: about a thousand, tens of thousands, or all. */
export const DATA_EFFORTS = ['quick', 'usual', 'all'] as const;

export const TOKEN_KINDS = ['learned', 'read', 'cut'] as const;

/**
 * Operations that an endpoint can offer. Each is one of the project API's, at the endpoint's own address and with its own
 * model: its routes, named as in `openAiRoutes`, and a description.
 */
export const OPERATIONS = {
  chat: { completeChat: 'Creates a chat completion with the deployment at this address.' },
  responses: {
    createResponse: 'Creates a response with the deployment at this address.',
    countResponseTokens: 'Counts the tokens of the prompt that a response would be created from.',
    getResponse: 'Returns a response that this key stored.',
    deleteResponse: 'Deletes a response that this key stored.',
    cancelResponse: 'Cancels a background response of this key.',
    listInputItems: 'Lists what the model was given for a response of this key.',
    createConversation: 'Creates a conversation of this key.',
    getConversation: 'Returns a conversation of this key.',
    updateConversation: 'Replaces the metadata of a conversation of this key.',
    deleteConversation: 'Deletes a conversation of this key.',
    listConversationItems: 'Lists the items of a conversation of this key.',
    createConversationItems: 'Adds items to a conversation of this key.',
    getConversationItem: 'Returns an item of a conversation of this key.',
    deleteConversationItem: 'Deletes an item of a conversation of this key.',
  },
  completions: { createCompletion: 'Continues texts with the deployment at this address.' },
  embeddings: { createEmbeddings: 'Embeds texts with the deployment at this address.' },
  messages: {
    createMessage: "Creates a message in Anthropic's format with the deployment at this address.",
    countMessageTokens: "Counts the tokens of a message's prompt in Anthropic's format.",
  },
  models: {
    listModels: 'Lists the one model that the deployment at this address serves.',
    getModel: 'Returns the model that the deployment at this address serves.',
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

export type Operation = keyof typeof OPERATIONS;

export const OPERATION_NAMES = Object.keys(OPERATIONS) as Operation[];

/** A route's operation. */
export function operationOf(route: string): Operation {
  return OPERATION_NAMES.find(name => Object.hasOwn(OPERATIONS[name], route))!;
}

/** Offered by every endpoint, and the only one unless its owner adds others. */
export const DEFAULT_OPERATION: Operation = 'chat';

export const SLUG_MIN_LENGTH = 2;
export const SLUG_MAX_LENGTH = 50;

/** The pattern needs a first and a last character, so the shortest slug has two. */
export const SLUG_PATTERN = /^[a-z0-9][a-z0-9-]*[a-z0-9]$/;

/** The rule for a deployment's slug. The cloud checks reserved labels separately. */
export function isSlug(text: string): boolean {
  return text.length >= SLUG_MIN_LENGTH && text.length <= SLUG_MAX_LENGTH && SLUG_PATTERN.test(text);
}

/** The UUID schema's pattern. */
const UUID_PATTERN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID_PATTERN.test(text);
}

/** A text's length in characters as people count them: an emoji outside the basic plane is one character, not two. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** `a, b or c` */
export function orList(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' or ');
}

/** With an ellipsis if it is longer, and no half of a character at its end. */
export function cutText(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Whether a score is at least as good as another. */
export function isAtLeastAsGood(
  value: number,
  other: number,
  { higher = true }: { readonly higher?: boolean | undefined },
): boolean {
  return higher ? value >= other : value <= other;
}

/** For a model without a chat template: the same sentence in chats, data checks and training. */
export const NO_CHAT_TEMPLATE =
  "This base model has no chat template, so it cannot chat or learn from messages. Train it on rows with prompt and \
completion, or with text, and ask it for completions. If you have a template for it, save it as chat_template.jinja in the \
model's folder and restart the cloud.";

/** The text of a message, also from a data set, which may have anything in its place; null if there is none. */
export function textOfContent(content: unknown): string | null {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  return content.map(part => String((part as { text?: unknown } | null)?.text ?? '')).join('');
}
