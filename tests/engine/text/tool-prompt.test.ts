import { describe, expect, it } from 'vitest';
import { readRowTexts } from '../../../lib/engine/text/index.js';
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
    '{% for call in m.tool_calls or [] %}<tool_call>{{ call.function | tojson }}</tool_call>{% endfor %}' +
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

it('arguments given as text keep their numbers and their order', () => {
  const given = '{"id":1234567890123456789,"b":1.0,"c":1e-07,"10":[2.50],"2":null}';
  const asked = [
    user('Go on.'),
    { role: 'assistant', tool_calls: [{ ...call, function: { name: 'f', arguments: given } }] },
  ];
  const numbers = '"id": 1234567890123456789, "b": 1.0, "c": 1e-07, "10": [2.5], "2": null';
  expect(withPlace.renderChat(asked, { tools })).toContain(`{"name": "f", "arguments": {${numbers}}}`);
  expect(plain.renderChat(asked)).toContain(
    `{"name": "f", "arguments": {${numbers.replaceAll(': ', ':').replaceAll(', ', ',')}}}`,
  );
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

/** A template that offers tools like this, and writes calls like this; `called` is the function. */
const withCalls = (call: string, offer = '{{ tools | tojson }}') =>
  `{% if tools %}${offer}\n{% endif %}{% for m in messages %}[{{ m.role }}] {{ m.content }}` +
  `{% for c in m.tool_calls or [] %}{% set called = c.function %}${call}{% endfor %}{{ '\\n' }}{% endfor %}` +
  '{% if add_generation_prompt %}[assistant] {% endif %}';
const calledAs = (id?: string) => [
  { role: 'assistant', content: null, tool_calls: [{ ...call, id }] },
  { role: 'tool', tool_call_id: id, content: '12:00' },
];
const inBare = (start: string) =>
  `{{ '${start}"name": "' + called.name + '", "parameters": ' + (called.arguments | tojson) + '}' }}`;

it.each([
  ['tags', 'tags', withCalls('<tool_call>\n{{ called | tojson }}\n</tool_call>')],
  ['list', 'a list', withCalls(`[TOOL_CALLS] [{{ called | tojson }}]`)],
  ['list', 'a list without a space', withCalls(`[TOOL_CALLS][{{ called | tojson }}]`)],
  ['bare', 'bare objects', withCalls(inBare('{'))],
  ['bare', 'bare objects with a type', withCalls(inBare('{"type": "function", '))],
] as const)('a template with a place for tools renders them: %s, %s', async (notation, _, template) => {
  const text = await openTiny({ template });
  const rendered = text.renderChat(messages.slice(0, 3), { tools });
  expect(rendered).toContain(JSON.stringify(tools[0]).replaceAll(/[:,]/g, '$& '));
  expect(rendered.match(/"zone": "UTC"/g)).toHaveLength(2);
  expect(text).toMatchObject({ rendersTools: true, callNotation: notation });
});

/** In the manner of Mistral's. */
const ofShortIds = withCalls(
  '[TOOL_CALLS] [{{ (called | tojson)[:-1] + \', "id": "\' + c.id + \'"}\' }}]' +
    "{% if c.id | length != 9 %}{{ raise_exception('too long') }}{% endif %}",
).replace(
  '{{ m.content }}',
  "{{ m.content }}{% if m.role == 'tool' %} of {{ m.tool_call_id }}{% if m.tool_call_id | length != 9 %}{{ raise_exception('too long') }}{% endif %}{% endif %}",
);

it.each([
  [
    ['call_0123456789abcdef0123456789abcdef', 'call_1'],
    ['call00000', 'call00001'],
  ],
  [
    ['call_0', 'a1B2c3D4e'],
    ['call00000', 'a1B2c3D4e'],
  ],
  [
    ['a-b-c-d-e', undefined],
    ['call00000', 'call00001'],
  ],
])('a template that takes short IDs only gets some: %j', async (ids, short) => {
  const chat = [user('a'), ...ids.flatMap(id => calledAs(id)), user('b')];
  const text = await openTiny({ template: ofShortIds });
  expect(text).toMatchObject({ rendersTools: true, callNotation: 'list' });
  const rendered = text.renderChat(chat, { tools });
  expect(rendered.match(/(?<="id": ")\w+/g)).toEqual(short);
  expect(rendered.match(/(?<=12:00 of )\w+/g)).toEqual(short);
  expect(rendered.startsWith(text.renderChat(chat.slice(0, 3), { tools }))).toBe(true);
});

it('a row is learned by a template that takes short IDs only, and in which turns alternate', async () => {
  const marks = ['</s>', '<s>', '[INST]', '[/INST]', '[TOOL_CALLS]'];
  const template = `{% set turn = namespace(count=0) %}{% for m in messages if not (m.tool_calls or m.role == 'tool') %}
{% if (m.role == 'user') != (turn.count % 2 == 0) %}{{ raise_exception('turns must alternate') }}{% endif %}
{% set turn.count = turn.count + 1 %}{% endfor %}{{ bos_token }}
{%- for m in messages %}
{% if m.tool_calls %}{% for c in m.tool_calls %}
{{ '[TOOL_CALLS] [' + (c.function | tojson)[:-1] + ', "id": "' + c.id + '"}]' + eos_token }}
{%- if c.id | length != 9 %}{{ raise_exception('too long') }}{% endif %}{% endfor %}
{% elif m.role == 'user' %}
{% if tools and loop.index0 >= messages | length - 2 %}{{ tools | tojson }}{% endif %}{{ '[INST] ' + m.content + '[/INST]' }}
{%- elif m.role == 'tool' %}{{ m.content + ' of ' + m.tool_call_id }}
{%- else %}{{ ' ' + m.content + eos_token }}{% endif %}{% endfor %}`;
  const text = await openTiny({ template, markers: marks, config: { bos_token: '<s>', eos_token: '</s>' } });
  const turn = [user('a'), ...calledAs('call_1'), ...calledAs('call_2'), assistant('Noon.')];
  const learned = ['00000', '00001'].map(
    n => `[TOOL_CALLS] [{"name": "get_time", "arguments": {"zone": "UTC"}, "id": "call${n}"}]</s>`,
  );
  const row = { messages: [...turn, user('b'), assistant('Yes.')], tools };
  expect(learnedParts(text, text.encodeRow(row))).toEqual([...learned, ' Noon.</s>', ' Yes.</s>']);
});

it('a template that takes any ID gets those of the conversation', async () => {
  const any = await openTiny({ template: ofShortIds.replaceAll('!= 9', '< 1') });
  const id = 'call_0123456789abcdef0123456789abcdef';
  expect(any.renderChat(calledAs(id))).toContain(`"id": "${id}"}]`);
});

it.each([
  ['asks for them in the system message', withCalls('{{ called | tojson }}', '{{ messages[0].tools }}')],
  ['asks for them as another variable', withCalls('{{ called | tojson }}', '{{ xml_tools }}')],
  ['writes none of its calls', withCalls('')],
  [
    'writes calls as code',
    withCalls("{{ '<|call|>' + called.name + '(' + (called.arguments | tojson) + ')' }}"),
  ],
  [
    'writes calls as XML in tags',
    withCalls(`<tool_call>\n<function={{ called.name }}>{{ called.arguments | tojson }}`),
  ],
  ['has a mark of its own', withCalls('<|tool_call|>[{{ called | tojson }}]')],
  ['has a mark before a bare object', withCalls(`<|tool_call|>${inBare('{')}`)],
  ['is of calls only', withCalls('<tool_call>{{ called | tojson }}', '')],
])('tools are described for a template that names them, but %s', async (_, template) => {
  const text = await openTiny({ template });
  expect(text.renderChat(messages, { tools })).toContain(
    `[assistant] ${written}\n${written}\n[user] <tool_response>`,
  );
  expect(text.renderChat(messages, { tools })).toContain('You can call these functions');
  expect(text).toMatchObject({ rendersTools: false, callNotation: 'tags' });
});

it('a template that asks for calls in tags, but writes none, gets them as text beside its tools', async () => {
  const text = await openTiny({ template: withCalls('', '{{ tools | tojson }} Use <tool_call>.') });
  const rendered = text.renderChat(messages, { tools });
  expect(rendered).toMatch(/^\[\{.*get_time.* Use <tool_call>\.\n\[system\] Be brief\.\n/);
  expect(rendered).toContain(`[assistant] ${written}\n${written}\n[user] <tool_response>`);
});

it('the template for chats with tools is not used where it is of no use', async () => {
  const { renderChat } = await openTiny({
    config: {
      chat_template: [
        { name: 'default', template: '{% for m in messages %}{{ m.content }}{% endfor %}' },
        { name: 'tool_use', template: '{% for tool in tools %}{{ tool }}{% endfor %}' },
      ],
    },
  });
  expect(renderChat(messages, { tools })).toContain('You can call these functions');
});

it('a call that the template leaves out cannot be learned', async () => {
  const few =
    '{% for m in messages %}{{ m.content }}{% if m.tool_calls and m.tool_calls | length == 1 %}<tool_call>{{ m.tool_calls[0].function | tojson }}{% endif %}<|im_end|>{% endfor %}';
  const text = await openTiny({ template: few });
  const [, question, calls] = messages;
  const row = (tool_calls: unknown) => ({ messages: [question, { ...calls, tool_calls }] });
  expect(learnedParts(text, text.encodeRow(row([call])))[0]).toContain('get_time');
  expect(() => text.encodeRow(row([call, call]))).toThrow('leaves out the tool calls of messages[1]');
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

  it.each<[string, object, string]>([
    ['as an object', { function: { name: 'f', arguments: { a: 1 } } }, '{"a":1}'],
    ['without a function around it', { id: 'c', name: 'f', arguments: { a: 1 } }, '{"a":1}'],
    ['beside an empty function', { name: 'f', arguments: '{"a":1}', function: null }, '{"a":1}'],
    ['without arguments', { type: 'function', function: { name: 'f' } }, '{}'],
    ['with blank arguments', { type: 'function', function: { name: 'f', arguments: ' ' } }, '{}'],
    ['with null for arguments', { type: 'function', function: { name: 'f', arguments: null } }, '{}'],
  ])('may have a call %s', (_, given, said) => {
    const calling = { role: 'assistant', content: null, tool_calls: [given] };
    const one = { messages: [user('a'), calling] };
    const expected = `{"name": "f", "arguments": ${said}}`;
    expect(learnedOf(chatml, one)).toEqual([`<tool_call>\n${expected}\n</tool_call><|im_end|>`]);
    expect(learnedOf(withPlace, one)[0]).toContain(expected.replaceAll(':1', ': 1'));
    expect(readRowTexts(one, true, { trainOn: 'assistant' }).callFaults).toEqual(['unknown_function']);
    const offered = { ...one, tools: [{ type: 'function', function: { name: 'f' } }] };
    expect(readRowTexts(offered, true, { trainOn: 'assistant' }).callFaults).toEqual([]);
  });

  it('is answered as it is learned: a call without arguments in a chat has none', () => {
    const called = { ...call, function: { name: 'f', arguments: '' } };
    const chat = [user('a'), { role: 'assistant', content: null, tool_calls: [called] }];
    expect(chatml.renderChat(chat)).toContain('{"name": "f", "arguments": {}}');
  });

  it('has its calls as text even if it does not list the tools', () => {
    const without = { messages: row.messages };
    expect(learnedOf(chatml, without)[0]).toContain('<tool_call>\n{"name": "get_time"');
    expect(chatml.decode(chatml.encodeRow(without).ids)).not.toContain('You can call');
  });
});
