// Where a chat template has a place for tools, calls and results. Rendering some shows it: templates may name them in vain, read
// them under other names, or write calls in a notation that no answer is read by.
import type { TemplateMessage } from './chat-message.js';
import { unlessRejected } from './errors.js';

export interface ToolPlace {
  /** Whether it has a place for tools. */
  readonly rendersTools: boolean;
  /** Whether it has a place for calls of tools and their results. */
  readonly rendersCalls: boolean;
  /** Whether it renders calls with short IDs only. */
  readonly needsShortIds: boolean;
  /** How the model writes calls: in tags, unless the template has a place for tools and shows another notation. */
  readonly callNotation: CallNotation;
}

type CallNotation = 'tags' | 'list' | 'bare';

type Render = (
  messages: readonly TemplateMessage[],
  options?: { tools?: readonly unknown[]; addGenerationPrompt?: boolean },
) => string;

const OFFERED = 'svcoffered';
const CALLED = 'svccalled';
const ARGUMENT = 'svcargument';
const RESULT = 'svcresult';

const parameters = {
  type: 'object',
  properties: { a: { type: 'string', description: 'a' } },
  required: ['a'],
};
const tools = [{ type: 'function', function: { name: OFFERED, description: 'a', parameters } }];

const asked = [{ role: 'user', content: 'a' }];
const calling = { name: CALLED, arguments: { [ARGUMENT]: 'a' } };
const calledWith = (id: string) => [
  ...asked,
  { role: 'assistant', content: '', tool_calls: [{ id, type: 'function', function: calling }] },
  { role: 'tool', tool_call_id: id, name: CALLED, content: RESULT },
];
const [short, long] = [calledWith('call00000'), calledWith(`call_${'0'.repeat(32)}`)];

export function findToolPlace(render: Render): ToolPlace {
  const write: Render = (...given) => unlessRejected(() => render(...given)) ?? '';
  const told = write(asked, { tools });
  // A template for chats with tools may need some.
  const writeCalls = (called: readonly TemplateMessage[]) => write(called) || write(called, { tools });
  const written = writeCalls(short);
  const writesCalls = [CALLED, ARGUMENT, RESULT].every(word => written.includes(word));
  const prompt = write(asked, { addGenerationPrompt: true });
  const notation = writesCalls ? findNotation(written, prompt) : told.includes('<tool_call>') && 'tags';
  const rendersTools = Boolean(notation) && told.includes(OFFERED);
  return {
    rendersTools,
    rendersCalls: Boolean(notation) && writesCalls,
    needsShortIds: writesCalls && writeCalls(long) === '',
    callNotation: (rendersTools && notation) || 'tags',
  };
}

const quoted = (name: string) => String.raw`"name":\s*"${CALLED}",\s*"${name}":\s*\{\s*"${ARGUMENT}"`;

const NOTATIONS: Readonly<Record<CallNotation, RegExp>> = {
  tags: new RegExp(String.raw`<tool_call>\s*\{${quoted('arguments')}`),
  list: new RegExp(String.raw`\[TOOL_CALLS\]\s*\[\s*\{${quoted('arguments')}`),
  bare: new RegExp(String.raw`^\s*\{(?:"type":\s*"function",\s*)?${quoted('parameters')}`),
};

/** Undefined for a notation that answers are not read by. */
function findNotation(written: string, prompt: string): CallNotation | undefined {
  const answer = written.startsWith(prompt) ? written.slice(prompt.length) : written;
  return (Object.keys(NOTATIONS) as CallNotation[]).find(name => NOTATIONS[name].test(answer));
}
