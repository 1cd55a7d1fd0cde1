// A reward function as an eval of a trainer: what answers to other prompts are worth.
import { realClock } from '../../clock/index.js';
import type { ChatMessage, InferenceRequest } from '../../contract/index.js';
import { USUAL_TOKENS } from '../evaluation/ask-rows.js';
import { openRows, toAskedMessages } from '../evaluation/read-rows.js';
import { createMeanEval, findRows, USUAL_ROWS } from './mean-eval.js';
import type { Eval, EvalContext, RewardFunction } from './options.js';
import { rewardOne, USUAL_LIMIT_MS } from './rewarder.js';

export interface RewardScoreOptions {
  /** A file of rows with a `prompt`, or with `messages` that end with a user's; or such rows. */
  on: string | readonly object[];
  /** Only the first rows. An eval is measured at each checkpoint, so few are better. Default: 50. */
  limit?: number;
  /** The longest answer, in tokens. Default: 512; that of the method is 256. */
  maxTokens?: number;
  /** A JSON schema for the answers, such as the method's. Default: none, even if the method has one. */
  schema?: InferenceRequest['schema'];
}

type Row = Record<string, unknown>;

/**
 * An eval for `createTrainer`: the mean of a reward over rows that were held out, each answered at temperature 0. The rows are read
 * once, at the first checkpoint. An answer whose reward fails does not count; if more than a fifth fail, there is no score.
 */
export function scoreReward(reward: RewardFunction, options: RewardScoreOptions): Eval {
  const { limit = USUAL_ROWS, maxTokens = USUAL_TOKENS, schema } = options;

  async function score(row: Row, { infer, step }: EvalContext) {
    const messages = promptOf(row);
    const tools = toolsOf(row);
    const { choices } = await infer({
      messages: toAskedMessages(messages),
      temperature: 0,
      maxTokens,
      ...(schema && { schema }),
      ...(tools && { tools }),
    });
    const { content, tool_calls: toolCalls = [] } = choices[0]?.message ?? {};
    return rewardOne(
      reward,
      content ?? '',
      { row, messages, toolCalls, step },
      { limitMs: USUAL_LIMIT_MS, clock: realClock },
    );
  }

  return createMeanEval({
    read: () => readRows(options.on, limit),
    measure: score,
    what: 'a reward',
  });
}

function promptOf({ messages, prompt }: Row): ChatMessage[] {
  if (Array.isArray(messages)) return messages as ChatMessage[];
  if (Array.isArray(prompt)) return prompt as ChatMessage[];
  if (typeof prompt === 'string') return [{ role: 'user', content: prompt }];
  throw new Error('A row has neither `messages` nor a `prompt`.');
}

/** The functions that answers to the row may call, as in its training. */
function toolsOf({ tools }: Row): InferenceRequest['tools'] {
  return Array.isArray(tools) && tools.length > 0 ? tools : undefined;
}

async function readRows(on: RewardScoreOptions['on'], limit: number): Promise<Row[]> {
  const { source, ...folders } = findRows(on);
  const rows: Row[] = [];
  const { given } = await openRows(source, folders);
  for await (const { row } of given) {
    if (rows.length >= limit) break;
    rows.push({ ...row });
  }
  if (rows.length === 0) throw new Error('There are no rows to answer.');
  return rows;
}
