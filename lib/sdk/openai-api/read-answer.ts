// What a model answered, from a response in OpenAI's chat or completions format.
import { OpenAiError } from './openai-error.js';

export interface ModelAnswer {
  /** Null if the model called tools, or was refused an answer. */
  answer: string | null;
  toolCalls?: unknown[];
  finishReason: string | null;
  usage: unknown;
  /** Of the tokens of its text, as the API has them, if they were asked for. */
  logprobs?: unknown;
}

/** Its first choice. */
export function readAnswer(response: unknown): ModelAnswer {
  const { choices, usage } = (response ?? {}) as { choices?: unknown; usage?: unknown };
  if (!Array.isArray(choices) || choices.length === 0)
    throw new OpenAiError('unexpected', 'The answer of the model has no choices.');
  const choice = choices[0] as {
    text?: unknown;
    finish_reason?: unknown;
    message?: { content?: unknown; tool_calls?: unknown } | null;
    logprobs?: { content?: unknown } | null;
  } | null;
  const content = choice?.message?.content ?? choice?.text;
  const calls = choice?.message?.tool_calls;
  return {
    answer: typeof content === 'string' ? content : null,
    ...(Array.isArray(calls) && { toolCalls: calls }),
    finishReason: typeof choice?.finish_reason === 'string' ? choice.finish_reason : null,
    usage: usage ?? null,
    ...(choice?.logprobs?.content != null && { logprobs: choice.logprobs.content }),
  };
}
