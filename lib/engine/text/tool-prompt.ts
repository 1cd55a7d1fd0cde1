// Describes functions to models whose chat template has no place for tools: in the system message. Calls and results are
// plain text where it has none for those. Both chat and training use it, so that a model sees the same format in both.
import { shortenIds, type TemplateMessage } from './chat-message.js';
import { writeJson } from './jinja/index.js';
import { isObject } from './text-files.js';
import type { ToolPlace } from './tool-place.js';

/** A conversation as its template can render it. */
interface Written {
  readonly messages: readonly TemplateMessage[];
  /** Tools that the template renders itself. */
  readonly tools: readonly unknown[] | undefined;
  /** Each message's original index. Null if nothing moved. */
  readonly origins: readonly number[] | null;
}

export function writeForTemplate(
  messages: readonly TemplateMessage[],
  tools: readonly unknown[] | undefined,
  { rendersTools, rendersCalls, needsShortIds }: ToolPlace,
): Written {
  const describesTools = tools !== undefined && !rendersTools;
  const writesCalls = !rendersCalls && messages.some(usesTools);
  if (!describesTools && !writesCalls)
    return { messages: needsShortIds ? shortenIds(messages) : messages, tools, origins: null };
  const turns = messages.map((message, origin) => ({ ...writeTurn(message), origin }));
  const written = joinResults(describesTools ? addTools(turns, tools) : turns);
  return {
    messages: written.map(({ origin: _, ...message }) => message),
    tools: describesTools ? undefined : tools,
    origins: written.map(({ origin }) => origin),
  };
}

function usesTools({ role, tool_calls: calls }: TemplateMessage): boolean {
  return role === 'tool' || calls !== undefined;
}

interface Turn {
  readonly role: string;
  readonly content: string;
  readonly origin: number;
  readonly [field: string]: unknown;
}

function addTools(turns: readonly Turn[], tools: readonly unknown[]): Turn[] {
  const [first, ...others] = turns;
  const hasSystem = first?.role === 'system';
  const content = [...(hasSystem ? [first.content] : []), writeTools(tools)].join('\n\n');
  return [{ role: 'system', content, origin: 0 }, ...(hasSystem ? others : turns)];
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

const THOUGHT_FIELDS = ['reasoning_content', 'thinking'];

function writeTurn(message: TemplateMessage): Pick<Turn, 'role' | 'content'> {
  const { role, content, tool_calls: calls = [] } = message;
  if (role === 'tool') return { role, content: `<tool_response>\n${content}\n</tool_response>` };
  const written = calls.map(writeCall);
  const thought = Object.entries(message).filter(([name]) => THOUGHT_FIELDS.includes(name));
  return {
    ...Object.fromEntries(thought),
    role,
    content: [...(content === '' ? [] : [content]), ...written].join('\n'),
  };
}

function writeCall(call: unknown): string {
  const { name, arguments: given } = (isObject(call) && isObject(call.function) ? call.function : {}) as {
    name?: string;
    arguments?: unknown;
  };
  return `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${writeArguments(given)}}\n</tool_call>`;
}

/** Those that were read from JSON text are written with the numbers and the order that they had there. */
function writeArguments(given: unknown): string {
  return given instanceof Map ? writeJson(given, { separators: [',', ':'] }) : JSON.stringify(given);
}

/** Results come from the user's side, together, because templates may require that turns alternate. */
function joinResults(turns: readonly Turn[]): Turn[] {
  const joined: Turn[] = [];
  for (const [i, turn] of turns.entries()) {
    const last = joined.at(-1);
    if (turn.role === 'tool' && turns[i - 1]?.role === 'tool' && last)
      joined[joined.length - 1] = { ...last, content: `${last.content}\n${turn.content}` };
    else joined.push(turn.role === 'tool' ? { ...turn, role: 'user' } : turn);
  }
  return joined;
}
