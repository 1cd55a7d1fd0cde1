// Tells a model of functions where its chat template has no place for them: in the system message, with calls and their
// results as plain text.
import type { TemplateMessage } from './chat-message.js';
import { isObject } from './text-files.js';

export function describeTools(
  messages: readonly TemplateMessage[],
  tools: readonly unknown[],
): TemplateMessage[] {
  const [first, ...others] = messages;
  const hasSystem = first?.role === 'system';
  const system = [...(hasSystem ? [first.content] : []), writeTools(tools)].join('\n\n');
  const rest = hasSystem ? others : messages;
  return [{ role: 'system', content: system }, ...joinResults(rest.map(writeTurn))];
}

function writeTools(tools: readonly unknown[]): string {
  const functions = tools.map(tool => JSON.stringify(isObject(tool) ? tool.function : tool));
  return [
    'You can call these functions. Each line is the JSON schema of one:',
    '<tools>',
    ...functions,
    '</tools>',
    'To call a function, write its name and its arguments as JSON between these tags, and nothing else:',
    '<tool_call>',
    '{"name": "the function", "arguments": {}}',
    '</tool_call>',
  ].join('\n');
}

function writeTurn({ role, content, tool_calls: calls = [] }: TemplateMessage): TemplateMessage {
  if (role === 'tool') return { role, content: `<tool_response>\n${content}\n</tool_response>` };
  const written = calls.map(writeCall);
  return { role, content: [...(content === '' ? [] : [content]), ...written].join('\n') };
}

function writeCall(call: unknown): string {
  const { name, arguments: given } = (isObject(call) && isObject(call.function) ? call.function : {}) as {
    name?: string;
    arguments?: unknown;
  };
  return `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${JSON.stringify(given)}}\n</tool_call>`;
}

/** Results come from the user's side, together, because templates may require that turns alternate. */
function joinResults(turns: readonly TemplateMessage[]): TemplateMessage[] {
  const joined: TemplateMessage[] = [];
  for (const [i, turn] of turns.entries()) {
    const last = joined.at(-1);
    if (turn.role === 'tool' && turns[i - 1]?.role === 'tool' && last)
      joined[joined.length - 1] = { role: 'user', content: `${last.content}\n${turn.content}` };
    else joined.push(turn.role === 'tool' ? { role: 'user', content: turn.content } : turn);
  }
  return joined;
}
