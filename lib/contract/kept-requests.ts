// A deployment's kept requests, with their answers. All operations share one form, that of a chat.
import * as z from 'zod/mini';
import { chatTool, toolName } from './formats/chat.js';
import { chatMessage, toolCall } from './formats/chat-messages.js';
import { boundList, orNull, pageQuery, step, timestamp } from './text.js';
import { KEPT_MARKS } from './vocabulary.js';

export const keptRequestQuery = {
  /** Only answers with this mark, or those without one. */
  mark: z.optional(z.enum([...KEPT_MARKS, 'none'])),
  /** Fewer are returned if they are large. */
  ...pageQuery,
};

/** The assistant's message. */
const keptAnswer = z.object({
  content: orNull(z.string()),
  tool_calls: z.optional(z.array(toolCall)),
});

export type KeptAnswer = z.output<typeof keptAnswer>;

/** `cut`: reached the maximum number of tokens. `aborted`: the caller disconnected. */
const keptOutcome = z.enum(['complete', 'cut', 'aborted', 'failed']);

export type KeptOutcome = z.output<typeof keptOutcome>;

export const keptRequest = z.object({
  id: z.string(),
  /** When the request arrived. */
  createdAt: timestamp,
  /** The operation, such as `chat` or `responses`. */
  operation: z.string(),
  model: z.string(),
  /** Whether the endpoint's canary answered; missing if not. */
  canary: z.optional(z.literal(true)),
  /** A text to be continued is stored as a user message. */
  messages: z.array(chatMessage),
  /** The available tools. */
  tools: z.optional(z.array(chatTool)),
  /** The answer, possibly partial. */
  answer: keptAnswer,
  outcome: keptOutcome,
  usage: orNull(z.object({ promptTokens: step, completionTokens: step })),
  durationMs: step,
  mark: orNull(z.enum(KEPT_MARKS)),
  /** The right answer; only if the mark is `corrected`. */
  correction: orNull(keptAnswer),
});

export type KeptRequest = z.output<typeof keptRequest>;

export const keptRequests = z.object({
  /** Newest first. */
  requests: z.array(keptRequest),
  /** How many are kept, in total and per mark. */
  counts: z.object({ all: step, good: step, bad: step, corrected: step }),
  /** How many were too large to be kept. */
  skipped: step,
  nextCursor: orNull(z.string()),
});

export type KeptRequests = z.output<typeof keptRequests>;

const MOST_CHARACTERS = 100_000;
const MOST_CALLS = 100;

const correctedCall = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  type: z.literal('function'),
  function: z.strictObject({ name: toolName, arguments: z.string().check(z.maxLength(MOST_CHARACTERS)) }),
});

const correction = z
  .strictObject({
    content: z.nullable(z.string().check(z.maxLength(MOST_CHARACTERS))),
    tool_calls: z.optional(boundList(z.array(correctedCall).check(z.maxLength(MOST_CALLS)), MOST_CALLS)),
  })
  .check(
    z.refine(({ content, tool_calls: calls = [] }) => (content ?? '').trim() !== '' || calls.length > 0, {
      path: ['content'],
      error: 'must not be empty',
    }),
  );

/** Setting a mark discards the correction. `none` removes the mark. */
export const keptRequestChange = z
  .strictObject({
    mark: z.optional(z.enum(['good', 'bad', 'none'])),
    correction: z.optional(correction),
  })
  .check(
    z.refine(change => (change.mark === undefined) !== (change.correction === undefined), {
      path: ['mark'],
      error: 'or `correction` is required, but not both',
    }),
  );

export type KeptRequestChange = z.input<typeof keptRequestChange>;
