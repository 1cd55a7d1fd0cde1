// Reads a request in the Responses format, and says it as a chat.
import {
  type ChatCompletionRequest,
  type ChatMessage,
  parseResponsesRequest,
  type ResponsesInputItem,
  type ResponsesRequest,
  wantsLogprobs,
} from '../../contract/index.js';
import { joinText, requireTool } from './read-request.js';

/** Throws an `ApiError` that names the invalid or unsupported parameter. */
export function readResponsesRequest(body: unknown): {
  asked: ResponsesRequest;
  chat: ChatCompletionRequest;
} {
  const asked = parseResponsesRequest(body);
  const chat = toChat(asked);
  requireTool(chat);
  return { asked, chat };
}

function toChat(asked: ResponsesRequest): ChatCompletionRequest {
  const { input, instructions, max_output_tokens, temperature, top_p, stream, model } = asked;
  const spoken: ChatMessage[] =
    typeof input === 'string' ? [{ role: 'user', content: input }] : toMessages(input);
  return {
    model,
    messages: instructions === undefined ? spoken : [{ role: 'system', content: instructions }, ...spoken],
    max_completion_tokens: max_output_tokens,
    temperature,
    top_p,
    stream,
    tools: asked.tools?.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
    tool_choice:
      typeof asked.tool_choice === 'object'
        ? { type: 'function', function: { name: asked.tool_choice.name } }
        : asked.tool_choice,
    parallel_tool_calls: asked.parallel_tool_calls,
    response_format: toResponseFormat(asked),
    ...(wantsLogprobs(asked) && { logprobs: true, top_logprobs: asked.top_logprobs ?? 0 }),
  };
}

function toResponseFormat({ text }: ResponsesRequest): ChatCompletionRequest['response_format'] {
  const format = text?.format;
  if (format?.type !== 'json_schema') return format;
  return { type: 'json_schema', json_schema: { name: format.name, schema: format.schema } };
}

/** What the assistant said and the calls that follow are one turn. */
function toMessages(items: readonly ResponsesInputItem[]): ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const item of items) {
    if ('role' in item) {
      messages.push({ role: item.role, content: joinText(item.content) });
    } else if (item.type === 'function_call_output') {
      messages.push({ role: 'tool', tool_call_id: item.call_id, content: joinText(item.output) });
    } else {
      const { call_id: id, name, arguments: args } = item;
      const call = { id, type: 'function', function: { name, arguments: args } } as const;
      const last = messages.at(-1);
      if (last?.role === 'assistant') last.tool_calls = [...(last.tool_calls ?? []), call];
      else messages.push({ role: 'assistant', content: null, tool_calls: [call] });
    }
  }
  return messages;
}
