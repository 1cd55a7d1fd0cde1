import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { type ModelText, openText } from '../../../lib/engine/text/index.js';
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

const CHATML =
  "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";
const CHATML_TOOLS =
  "{% if tools %}{{ '<|im_start|>system\\n' + (tools | tojson) + '<|im_end|>\\n' }}{% endif %}" +
  "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content }}" +
  '{% if m.tool_calls %}<tool_call>{{ m.tool_calls | tojson }}{% endif %}' +
  "{{ '<|im_end|>\\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";
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

/** Rows as OpenAI's fine-tuning takes them. */
describe('a row with tools', () => {
  const answer = { role: 'assistant', content: 'It is noon.' };
  const row = { messages: [...messages, answer], tools, parallel_tool_calls: false };

  function learnedOf(text: ModelText, given: unknown): string[] {
    const { ids, supervised } = text.encodeRow(given);
    const parts: number[][] = [];
    supervised.forEach((isLearned, i) => {
      if (isLearned && !supervised[i - 1]) parts.push([]);
      if (isLearned) parts.at(-1)!.push(ids[i]!);
    });
    return parts.map(part => text.decode(part));
  }

  it.each([
    ['without a place for tools', CHATML],
    ['with one', CHATML_TOOLS],
  ])('is what a chat with the same tools asks the model, by a template %s', async (_, template) => {
    const text = await openWith(template);
    const asked = text.renderChat(messages, { tools, addGenerationPrompt: true });
    const trained = text.decode(text.encodeRow(row).ids);
    expect(trained.startsWith(`${asked}It is noon.<|im_end|>`)).toBe(true);
    expect(asked).toContain('get_time');
  });

  it('teaches the calls and the answer, and nothing else', async () => {
    const text = await openWith(CHATML);
    const written = '<tool_call>\n{"name": "get_time", "arguments": {"zone":"UTC"}}\n</tool_call>';
    expect(learnedOf(text, row)).toEqual([`${written}\n${written}<|im_end|>`, 'It is noon.<|im_end|>']);
  });

  it('does not teach messages with weight 0, wherever the tools are described', async () => {
    const [system, question, calls, ...rest] = row.messages;
    const muted = [question, { ...calls, weight: 0 }, ...rest.slice(0, -1), { ...answer, weight: 1 }];
    for (const template of [CHATML, CHATML_TOOLS])
      for (const given of [muted, [system, ...muted]])
        expect(learnedOf(await openWith(template), { messages: given, tools })).toEqual([
          'It is noon.<|im_end|>',
        ]);
  });

  it('teaches the completion only, if its prompt is a list of messages', async () => {
    const text = await openWith(CHATML);
    const given = { prompt: messages.slice(1), completion: [answer], tools };
    expect(learnedOf(text, given)).toEqual(['It is noon.<|im_end|>']);
  });

  it('has its calls as text even if it does not list the tools', async () => {
    const text = await openWith(CHATML);
    const { tools: _, ...without } = row;
    expect(learnedOf(text, without)[0]).toContain('<tool_call>\n{"name": "get_time"');
    expect(text.decode(text.encodeRow(without).ids)).not.toContain('You can call');
  });
});
