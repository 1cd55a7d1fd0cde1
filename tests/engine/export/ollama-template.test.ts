// Chat templates as Ollama has them, rendered by the rules of Go's language, must be what the model's own template renders.
import { describe, expect, it } from 'vitest';
import { toOllamaTemplate } from '../../../lib/engine/export/ollama-template.js';
import { ROWS_DAY } from '../../../lib/engine/text/index.js';
import { templates } from '../../support/chat-templates.js';
import { chatmlTemplate } from '../../support/tiny-tokenizer.js';
import { openTiny } from '../text/tiny-text.js';

type Role = 'system' | 'user' | 'assistant';

/** The little of Go's language that is used here, as JavaScript. */
function toScript(action: string): string {
  const [first, ...others] = action.split(' ');
  const value = (name: string) => name.replace(/^\.(?=System|Messages)/, 'all.').replace(/^\./, 'dot.');
  const test = ([verb, one, other]: string[]) =>
    other === undefined ? value(verb!) : `${value(one!)} ${verb === 'eq' ? '===' : '!=='} ${value(other)}`;
  if (first === 'if') return `if (${test(others)}) {`;
  if (action === 'else') return '} else {';
  if (first === 'else') return `} else if (${test(others.slice(1))}) {`;
  if (first === 'range') return `for (const dot of ${value(others[0]!)}) {`;
  if (action === 'end') return '}';
  return others.length > 0 ? `${first} = ${value(others[1]!)};` : `written += ${value(first!)};`;
}

/** Ollama gives a template all messages, and those of the system once more. */
function renderGo(template: string, messages: readonly { role: Role; content: string }[]): string {
  const lines = template
    .split(/\{\{ (.*?) \}\}/)
    .map((piece, index) => (index % 2 ? toScript(piece) : `written += ${JSON.stringify(piece)};`));
  const script = ['let written = "", $role;', ...lines, 'return written;'].join('\n');
  const system = messages.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n\n');
  const given = messages.map(({ role, content }) => ({ Role: role, Content: content }));
  return new Function('all', script)({ System: system, Messages: given }) as string;
}

const chatOf = (...roles: Role[]) =>
  roles.map((role, index) => ({ role, content: `${role} says {{ ${index} }}` }));
const CHATS = [
  chatOf('user'),
  chatOf('system', 'user'),
  chatOf('user', 'assistant', 'user'),
  chatOf('system', 'user', 'assistant', 'user', 'assistant', 'user'),
];

describe.each(Object.entries(templates))('a template %s', async (name, { says: _, ...options }) => {
  const text = await openTiny(options);

  it.each([undefined, { enable_thinking: false }])('is written for Ollama with %j', variables => {
    const bos = text.facts.bosToken;
    const template = toOllamaTemplate(text, variables, bos);
    expect(template).not.toBeNull();
    for (const chat of CHATS) {
      let own: string;
      try {
        own = text.renderChat(chat, { variables, now: ROWS_DAY, addGenerationPrompt: true });
      } catch {
        expect(name).toContain('without a generation prompt');
        continue;
      }
      expect(renderGo(template!, chat)).toBe(bos && own.startsWith(bos) ? own.slice(bos.length) : own);
    }
  });
});

it.each([
  ['repeats a text', `${chatmlTemplate}{{ messages[0].content }}`],
  ['leaves out a text', "{% for m in messages %}{{ m.content if loop.last else '' }}{% endfor %}"],
  ['says how many there are', `{{ messages | length }}${chatmlTemplate}`],
])('a template that %s cannot be written', async (_, template) => {
  const text = await openTiny({ template });
  expect(toOllamaTemplate(text, undefined, undefined)).toBeNull();
});
