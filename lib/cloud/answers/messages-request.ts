// Reads a request in Anthropic's Messages format, and says it as a chat.
import {
  type AnthropicMessage,
  type ChatCompletionRequest,
  type ChatMessage,
  type MessagesRequest,
  parseMessagesRequest,
} from '../../contract/index.js';
import { joinText, requireTool } from './read-request.js';

/** Throws an `ApiError` that names the invalid or unsupported parameter. */
export function readMessagesRequest(body: unknown): { asked: MessagesRequest; chat: ChatCompletionRequest } {
  const asked = parseMessagesRequest(body);
  const { model, messages, system, max_tokens, temperature, top_p, stop_sequences, stream } = asked;
  const first: ChatMessage[] = system === undefined ? [] : [{ role: 'system', content: joinText(system) }];
  const chat: ChatCompletionRequest = {
    model,
    messages: [...first, ...messages.flatMap(toMessages)],
    max_completion_tokens: max_tokens,
    temperature,
    top_p,
    stop: stop_sequences?.length ? stop_sequences : undefined,
    stream,
    ...toTools(asked),
  };
  requireTool(chat);
  return { asked, chat };
}

function toTools({ tools, tool_choice: choice }: MessagesRequest) {
  const isNothing = !tools?.length && (!choice || choice.type === 'auto' || choice.type === 'none');
  if (isNothing) return {};
  const isParallelOff = choice && choice.type !== 'none' && choice.disable_parallel_tool_use;
  const named = choice?.type === 'tool' ? { type: 'function', function: { name: choice.name } } : null;
  const plain = { auto: 'auto', any: 'required', none: 'none', tool: 'auto' } as const;
  return {
    tools: tools?.map(({ name, description, input_schema: parameters }) => ({
      type: 'function' as const,
      function: { name, description, parameters },
    })),
    tool_choice:
      (named as { type: 'function'; function: { name: string } } | null) ?? (choice && plain[choice.type]),
    parallel_tool_calls: isParallelOff ? false : undefined,
  };
}

/** Outputs of tools are turns of their own, before what the user adds to them. */
function toMessages({ role, content }: AnthropicMessage): ChatMessage[] {
  if (typeof content === 'string') return [{ role, content }];
  const text = content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('');
  if (role === 'assistant') {
    const calls = content.flatMap(block => (block.type === 'tool_use' ? [toCall(block)] : []));
    return [{ role, content: text, ...(calls.length > 0 && { tool_calls: calls }) }];
  }
  const outputs = content.flatMap((block): ChatMessage[] =>
    block.type === 'tool_result'
      ? [{ role: 'tool', tool_call_id: block.tool_use_id, content: joinText(block.content) }]
      : [],
  );
  const hasText = content.some(({ type }) => type === 'text');
  return hasText ? [...outputs, { role, content: text }] : outputs;
}

function toCall({ id, name, input }: { id: string; name: string; input: unknown }) {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input ?? {}) } } as const;
}
