// Conversations of rows that call functions, as they are asked: data sets may have arguments as objects, and no ids.
// Calls without an id are numbered from 0 in the whole conversation, as the chat format and rewards number theirs.
import type { ChatMessage } from '../../contract/index.js';
import { readCalls, toToolCall } from '../../tool-calls/index.js';

/** A result without an id is that of the first call that has none. */
export function toAskedMessages(messages: readonly ChatMessage[]): ChatMessage[] {
  let count = 0;
  let open: string[] = [];
  return messages.map(message => {
    if (message.role === 'tool') {
      const id = message.tool_call_id ?? open[0] ?? 'call_0';
      open = open.filter(other => other !== id);
      return { ...message, tool_call_id: id };
    }
    const calls = readCalls(message as { tool_calls?: unknown }).map(call =>
      toToolCall({ ...call, arguments: call.arguments ?? {} }, count++),
    );
    if (calls.length === 0) return message;
    open = calls.map(({ id }) => id);
    return { ...message, tool_calls: calls } as ChatMessage;
  });
}
