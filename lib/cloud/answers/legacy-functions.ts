// Writes calls of tools as calls of functions, for requests in the chat format's earlier form.
import type { ChatCompletion, ChatCompletionChunk } from '../../contract/index.js';

type FinishReason = ChatCompletion['choices'][number]['finish_reason'];

const toReason = (reason: FinishReason): FinishReason => (reason === 'tool_calls' ? 'function_call' : reason);

export function callFunctions({ choices, ...rest }: ChatCompletion): ChatCompletion {
  return {
    ...rest,
    choices: choices.map(({ message: { tool_calls, ...message }, finish_reason, ...choice }) => ({
      ...choice,
      message: { ...message, ...(tool_calls && { function_call: tool_calls[0]!.function }) },
      finish_reason: toReason(finish_reason),
    })),
  };
}

export async function* callFunctionsInChunks(
  chunks: AsyncIterable<ChatCompletionChunk>,
): AsyncGenerator<ChatCompletionChunk> {
  for await (const { choices, ...rest } of chunks)
    yield {
      ...rest,
      choices: choices.map(({ delta: { tool_calls, ...delta }, finish_reason, ...choice }) => ({
        ...choice,
        delta: { ...delta, ...(tool_calls && { function_call: tool_calls[0]!.function }) },
        finish_reason: finish_reason && toReason(finish_reason),
      })),
    };
}
