import { rm } from 'node:fs/promises';
import { afterAll, expect, it } from 'vitest';
import { openText } from '../../../lib/engine/text/index.js';
import { makeTextFolder } from '../../support/tiny-tokenizer.js';

const tools = [
  { type: 'function', function: { name: 'get_time', parameters: { type: 'object', properties: {} } } },
];
const call = { id: 'c', type: 'function', function: { name: 'get_time', arguments: '{"zone":"UTC"}' } };
const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'What time is it?' },
  { role: 'assistant', content: null, tool_calls: [call, call] },
  { role: 'tool', tool_call_id: 'c', content: '12:00' },
  { role: 'tool', tool_call_id: 'c', content: '12:01' },
];

const folders: string[] = [];
afterAll(() => Promise.all(folders.map(folder => rm(folder, { recursive: true }))));

async function openWith(template: string) {
  const folder = await makeTextFolder({ files: { 'chat_template.jinja': template } });
  folders.push(folder);
  return openText(folder);
}

const PLAIN = '{% for message in messages %}[{{ message.role }}] {{ message.content }}\n{% endfor %}';

it('a template without a place for tools gets them in the system message, and calls as text', async () => {
  const text = await openWith(PLAIN);
  const rendered = text.renderChat(messages, { tools });
  expect(rendered).toMatch(/^\[system\] Be brief\.\n\nYou can call these functions/);
  expect(rendered).toContain(`<tools>\n${JSON.stringify(tools[0]!.function)}\n</tools>`);
  const written = '<tool_call>\n{"name": "get_time", "arguments": {"zone":"UTC"}}\n</tool_call>';
  expect(rendered).toContain(`[assistant] ${written}\n${written}\n`);
  const results = ['12:00', '12:01'].map(result => `<tool_response>\n${result}\n</tool_response>`);
  expect(rendered).toContain(`[user] ${results.join('\n')}\n`);
  expect(rendered.match(/\[user\]/g)).toHaveLength(2);
  expect(text.callNotation).toBe('tags');
});

it('without a system message, one is added', async () => {
  const text = await openWith(PLAIN);
  expect(text.renderChat(messages.slice(1, 2), { tools })).toMatch(/^\[system\] You can call/);
  expect(text.renderChat(messages.slice(0, 2))).not.toContain('tools');
});

it.each([
  ['{% if tools %}{{ tools | tojson }}<tool_call>{% endif %}', 'tags'],
  ['{% for tool in tools %}{{ tool | tojson }}{% endfor %}{"name": "x", "parameters": {}}', 'bare'],
  ['{% if tools %}{{ tools | tojson }}{% endif %}', 'tags'],
] as const)('a template with a place for tools renders them: %s', async (template, notation) => {
  const text = await openWith(template);
  const rendered = text.renderChat(messages, { tools });
  expect(rendered).toContain('get_time');
  expect(rendered).not.toContain('You can call');
  expect(text.callNotation).toBe(notation);
});
