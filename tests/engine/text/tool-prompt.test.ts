import { describe, expect, it } from 'vitest';
import { assistant, learnedParts, openTiny, user } from './tiny-text.js';

const tools = [
  { type: 'function', function: { name: 'get_time', parameters: { type: 'object', properties: {} } } },
];
const call = { id: 'c', type: 'function', function: { name: 'get_time', arguments: '{"zone":"UTC"}' } };
const messages = [
  { role: 'system', content: 'Be brief.' },
  user('What time is it?'),
  { role: 'assistant', content: null, tool_calls: [call, call] },
  { role: 'tool', tool_call_id: 'c', content: '12:00' },
  { role: 'tool', tool_call_id: 'c', content: '12:01' },
];
const written = '<tool_call>\n{"name": "get_time", "arguments": {"zone":"UTC"}}\n</tool_call>';

const prompt = "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";
const chatml = await openTiny({
  template: `{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{% endfor %}${prompt}`,
});
const withPlace = await openTiny({
  template:
    "{% if tools %}{{ '<|im_start|>system\\n' + (tools | tojson) + '<|im_end|>\\n' }}{% endif %}" +
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content }}" +
    '{% if m.tool_calls %}<tool_call>{{ m.tool_calls | tojson }}{% endif %}' +
    `{{ '<|im_end|>\\n' }}{% endfor %}${prompt}`,
});
const plain = await openTiny({
  template: '{% for message in messages %}[{{ message.role }}] {{ message.content }}\n{% endfor %}',
});

it('a template without a place for tools gets them in the system message, and calls as text', () => {
  const rendered = plain.renderChat(messages, { tools });
  expect(rendered).toMatch(/^\[system\] Be brief\.\n\nYou can call these functions/);
  expect(rendered).toContain(`<tools>\n${JSON.stringify(tools[0]!.function)}\n</tools>`);
  expect(rendered).toContain(`[assistant] ${written}\n${written}\n`);
  const results = ['12:00', '12:01'].map(result => `<tool_response>\n${result}\n</tool_response>`);
  expect(rendered).toContain(`[user] ${results.join('\n')}\n`);
  expect(rendered.match(/\[user\]/g)).toHaveLength(2);
  expect(plain.callNotation).toBe('tags');
});

it('thoughts stay with their turns', async () => {
  const template =
    '{% for m in messages %}[{{ m.role }}] {{ m.reasoning_content }}/{{ m.thinking }}: {{ m.content }}\n{% endfor %}';
  const { renderChat } = await openTiny({ template });
  const thinking = [messages[1]!, { ...messages[2]!, reasoning_content: 'The clock.' }, ...messages.slice(3)];
  expect(renderChat(thinking, { tools })).toContain(`[assistant] The clock./The clock.: ${written}`);
});

it('without a system message, one is added', () => {
  expect(plain.renderChat(messages.slice(1, 2), { tools })).toMatch(/^\[system\] You can call/);
  expect(plain.renderChat(messages.slice(0, 2))).not.toContain('tools');
});

it('a template that refuses calls gets them as text, though the request names no tools', async () => {
  const template =
    '{% for m in messages %}{% if m.tool_calls %}{{ raise_exception("No calls.") }}{% endif %}[{{ m.role }}] {{ m.content }}\n{% endfor %}';
  const text = await openTiny({ template });
  expect(text.renderChat(messages)).toContain(`[assistant] ${written}\n${written}\n`);
});

it.each([
  ['{% if tools %}{{ tools | tojson }}<tool_call>{% endif %}', 'tags'],
  ['{% for tool in tools %}{{ tool | tojson }}{% endfor %}{"name": "x", "parameters": {}}', 'bare'],
  ['{% if tools %}{{ tools | tojson }}{% endif %}', 'tags'],
] as const)('a template with a place for tools renders them: %s', async (template, notation) => {
  const text = await openTiny({ template });
  const rendered = text.renderChat(messages, { tools });
  expect(rendered).toContain('get_time');
  expect(rendered).not.toContain('You can call');
  expect(text.callNotation).toBe(notation);
});

/** Rows as OpenAI's fine-tuning takes them. */
describe('a row with tools', () => {
  const answer = assistant('It is noon.');
  const row = { messages: [...messages, answer], tools, parallel_tool_calls: false };
  const learnedOf = (text: typeof chatml, given: unknown) => learnedParts(text, text.encodeRow(given));

  it.each([
    ['without a place for tools', chatml],
    ['with one', withPlace],
  ])('is what a chat with the same tools asks the model, by a template %s', (_, text) => {
    const asked = text.renderChat(messages, { tools, addGenerationPrompt: true });
    const trained = text.decode(text.encodeRow(row).ids);
    expect(trained.startsWith(`${asked}It is noon.<|im_end|>`)).toBe(true);
    expect(asked).toContain('get_time');
  });

  it('teaches the calls and the answer, and nothing else', () => {
    expect(learnedOf(chatml, row)).toEqual([`${written}\n${written}<|im_end|>`, 'It is noon.<|im_end|>']);
  });

  it('does not teach messages with weight 0, wherever the tools are described', () => {
    const [system, question, calls, ...results] = messages;
    const muted = [question, { ...calls, weight: 0 }, ...results, { ...answer, weight: 1 }];
    for (const text of [chatml, withPlace])
      for (const given of [muted, [system, ...muted]])
        expect(learnedOf(text, { messages: given, tools })).toEqual(['It is noon.<|im_end|>']);
  });

  it('teaches the completion only, if its prompt is a list of messages', () => {
    const given = { prompt: messages.slice(1), completion: [answer], tools };
    expect(learnedOf(chatml, given)).toEqual(['It is noon.<|im_end|>']);
  });

  it('has its calls as text even if it does not list the tools', () => {
    const without = { messages: row.messages };
    expect(learnedOf(chatml, without)[0]).toContain('<tool_call>\n{"name": "get_time"');
    expect(chatml.decode(chatml.encodeRow(without).ids)).not.toContain('You can call');
  });
});
