// Rows as people have them, as texts with their learned parts: chats, other formats, and preferences.
import { describe, expect, it } from 'vitest';
import { NO_CHAT_TEMPLATE } from '../../../lib/contract/index.js';
import type { RowOptions } from '../../../lib/engine/text/encode-row.js';
import { type ModelText, RowError } from '../../../lib/engine/text/index.js';
import { describeFormats, formatOf } from '../../../lib/engine/text/row-formats.js';
import type { TinyOptions } from '../../support/tiny-tokenizer.js';
import { assistant, learnedParts, openPlain, openTiny, showLearned, user } from './tiny-text.js';

const text = await openTiny();
const plain = await openPlain();

const chat = (...messages: unknown[]) => ({ messages });
const show = (text: ModelText, row: unknown, options?: RowOptions) =>
  showLearned(text, text.encodeRow(row, options));

function nested(depth: number): object {
  let value: object = {};
  for (let i = 0; i < depth; i++) value = { a: value };
  return value;
}

const marking =
  '{% for m in messages %}<{{ m.role }}>{% if m.role == "assistant" %}{% generation %}{{ m.content }}' +
  '{% endgeneration %}{% else %}{{ m.content }}{% endif %}{% endfor %}';

describe('a chat', () => {
  const row = chat(user('hello'), assistant('hi'), user('the answer?'), assistant('yes'));

  it("learns the assistant's text, or all of it but what has the weight 0", () => {
    expect(show(text, row)).toBe(
      '<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n[hi<|im_end|>]\n' +
        '<|im_start|>user\nthe answer?<|im_end|>\n<|im_start|>assistant\n[yes<|im_end|>]\n',
    );
    const showAll = (...messages: unknown[]) => show(text, chat(...messages), { trainOn: 'all' });
    const start = '<|im_start|>[user\na<|im_end|>\n<|im_start|>assistant\n';
    expect(showAll(user('a'), assistant('b'))).toBe(`${start}b<|im_end|>\n]`);
    expect(showAll(user('a'), { ...assistant('b'), weight: 0 })).toBe(`${start}]b<|im_end|>[\n]`);
  });

  it('is rendered with the tools of its row, the given variables, and no unknown fields', async () => {
    const template =
      '{% for tool in tools or [] %}{{ tool.function.name }} by <tool_call>{% endfor %}{{ day }}' +
      '{% for m in messages %}<{{ m.role }}>{{ m.content }}{{ m.mood }}{{ m.weight }}{{ m.name }}{% endfor %}';
    const messages = [
      { ...user('a'), name: 'Ann', mood: 'glad' },
      { ...assistant('b'), weight: 1 },
    ];
    const given = { messages, tools: [{ function: { name: 'add' } }] };
    const shown = show(await openTiny({ template }), given, { variables: { day: ' on Monday ' } });
    expect(shown).toBe('add by <tool_call> on Monday <user>aAnn<assistant>[b]');
    const bare = { messages, tools: [{ name: 'add', input_schema: {} }] };
    expect(show(await openTiny({ template }), bare)).toContain('add by <tool_call>');
  });

  it.each([
    ['learned as it is', 'sft', chat(user('a'), assistant('b'))],
    [
      'with two answers',
      'dpo',
      { prompt: [user('a')], chosen: [assistant('b')], rejected: [assistant('c')] },
    ],
    ['that is answered', 'grpo', chat(user('a'))],
  ] as const)('is of the same day whenever it is read, unlike what is served: %s', async (_, method, row) => {
    const template =
      "{{ strftime_now('%d %b %Y') }}" +
      '{% for m in messages %}<{{ m.role }}>{% if m.role == "assistant" %}{% generation %}{{ m.content }}' +
      '{% endgeneration %}{% else %}{{ m.content }}{% endif %}{% endfor %}';
    const dated = await openTiny({ template });
    const rendered = dated.decode(dated.encodeRow(row, { method }).ids);
    expect(rendered).toMatch(/^26 Jul 2024<user>a/);
    expect(rendered.match(/\d+ \w+ \d{4}/g)).toHaveLength(method === 'dpo' ? 2 : 1);
    expect(dated.renderChat([user('a')])).not.toContain('26 Jul 2024');
  });

  it('is truncated if it is too long, and has nothing to learn if that is before the assistant speaks', () => {
    const { ids, supervised, truncated, length } = text.encodeRow(row);
    expect([truncated, length]).toEqual([false, ids.length]);
    expect(text.encodeRow(row, { maxLength: length }).truncated).toBe(false);
    const [ids3, supervised3] = [ids.slice(0, -3), supervised.slice(0, -3)];
    const shorter = { ids: ids3, supervised: supervised3, truncated: true, length };
    expect(text.encodeRow(row, { maxLength: length - 3 })).toEqual(shorter);
    const shortest = text.encodeRow(row, { maxLength: 9 });
    expect([shortest.supervised.includes(true), shortest.truncated]).toEqual([false, true]);
  });

  it.each<[string, TinyOptions, string]>([
    ['', {}, '<|im_end|>'],
    [' with generation tags', { template: marking }, ''],
  ])('does not learn a message with weight 0%s', async (_, options, ending) => {
    const text = await openTiny(options);
    const [hello, hi, question, yes] = row.messages as object[];
    const weigh = (first?: unknown, second?: unknown) =>
      chat(hello, { ...hi, weight: first }, question, { ...yes, weight: second });
    const learned = (given: unknown) => learnedParts(text, text.encodeRow(given));
    expect(learned(weigh(0))).toEqual([`yes${ending}`]);
    expect(learned(weigh(1, 0))).toEqual([`hi${ending}`]);
    expect(learned(weigh(null, 1))).toEqual([`hi${ending}`, `yes${ending}`]);
    expect(text.encodeRow(weigh(0)).ids).toEqual(text.encodeRow(row).ids);
  });

  it('may have an assistant message with tool calls and no content', async () => {
    const call = { id: '1', type: 'function', function: { name: 'add', arguments: '{}' } };
    const template =
      '{% for m in messages %}<{{ m.role }}>{{ m.content }}' +
      '{% for call in m.tool_calls or [] %}<tool_call>{{ call.function | tojson }}{% endfor %}<|im_end|>{% endfor %}';
    const row = chat(user('hello'), { role: 'assistant', content: null, tool_calls: [call] });
    expect(show(await openTiny({ template }), row)).toContain(
      '[<tool_call>{"name": "add", "arguments": {}}<|im_end|>]',
    );
  });
});

const briefly = { role: 'system', content: 'be brief' };

it.each<[string, object, object]>([
  ['of messages', { messages: [user('a'), assistant('b')] }, {}],
  ['of messages that start with it', { messages: [briefly, user('a'), assistant('b')] }, {}],
  ['of a prompt', { prompt: 'a', completion: 'b' }, {}],
  ['of a prompt of messages', { prompt: [user('a')], completion: [assistant('b')] }, {}],
  ['of a prompt of messages that start with it', { prompt: [briefly, user('a')], completion: 'b' }, {}],
  ['of preferences', { prompt: 'a', chosen: 'b', rejected: 'c' }, { method: 'dpo' }],
  ['of ShareGPT that starts with it', { conversations: [briefly, user('a'), assistant('b')] }, {}],
])('a row %s may have a system message beside it', (_, row, options) => {
  const shown = show(text, { ...row, system: 'be brief' }, options);
  expect(shown).toMatch(/^<\|im_start\|>system\nbe brief<\|im_end\|>\n<\|im_start\|>user\na<\|im_end\|>/);
  const idle = [null, ' ', undefined];
  // ShareGPT has a text there; a column of other rows may be about another system.
  const isShareGpt = 'conversations' in row;
  for (const system of isShareGpt ? idle : [...idle, 5, { os: 'linux' }])
    expect(text.encodeRow({ ...row, system }, options)).toEqual(text.encodeRow(row, options));
  if (isShareGpt)
    expect(() => text.encodeRow({ ...row, system: 5 }, options)).toThrow('system is not a string');
});

it.each<[string, object]>([
  ['has empty fields', { ...briefly, tool_calls: null, name: null }],
  ['is in parts', { role: 'system', content: [{ type: 'text', text: 'be brief' }] }],
  ['ends with a line', { role: 'system', content: 'be brief\n' }],
  ["is a developer's", { role: 'developer', content: 'be brief' }],
])('a system message is not said again by one that %s', (_, first) => {
  const row = { messages: [first, user('a'), assistant('b')] };
  const both = { ...row, system: 'be brief' };
  expect(text.encodeRow(both)).toEqual(text.encodeRow(row));
});

it('a prompt may have a system message beside it', () => {
  const prompt = text.encodeRow({ messages: [user('a')], system: 'be brief' }, { method: 'grpo' });
  expect(prompt.ids).toEqual(text.encodeRow({ messages: [briefly, user('a')] }, { method: 'grpo' }).ids);
});

describe('a prompt and its completion', () => {
  it('are a chat of one turn if there is a chat template', () => {
    const chat = '<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n[hi<|im_end|>]\n';
    expect(show(text, { prompt: 'hello', completion: 'hi' })).toBe(chat);
  });

  it('may be lists of messages; turns of the prompt are not learned, also with generation tags', async () => {
    const row = { prompt: [user('a'), assistant('b'), user('c')], completion: [assistant('d')] };
    expect(learnedParts(text, text.encodeRow(row))).toEqual(['d<|im_end|>']);
    expect(show(text, row)).toContain('assistant\nb<|im_end|>');
    const marked = await openTiny({ template: marking });
    expect(show(marked, row)).toBe('<user>a<assistant>b<user>c<assistant>[d]');
  });

  it('are one text without a chat template; the completion and its end are learned', () => {
    const row = { prompt: 'Q: the answer?\nA:', completion: ' yes' };
    expect(show(plain, row)).toBe('Q: the answer?\nA:[ yes<|endoftext|>]');
    expect(show(plain, row, { trainOn: 'all' })).toBe('Q[: the answer?\nA: yes<|endoftext|>]');
  });

  it('share a token where one ends the prompt and starts the completion, which is learned', () => {
    expect(show(plain, { prompt: 'What is ', completion: 'the' })).toBe('What is[ the<|endoftext|>]');
    expect(show(plain, { prompt: 'the an', completion: 'swer' })).toBe('the[ answer<|endoftext|>]');
  });

  it("start with the tokenizer's special tokens, as a text does", async () => {
    const single = [{ SpecialToken: { id: '<|im_start|>' } }, { Sequence: { id: 'A' } }];
    const text = await openPlain({ tokenizer: { post_processor: { type: 'TemplateProcessing', single } } });
    expect(show(text, { prompt: 'Q:', completion: ' yes' })).toBe('<|im_start|>Q:[ yes<|endoftext|>]');
    expect(show(text, { text: 'yes' })).toBe('<|im_start|>[yes<|endoftext|>]');
  });
});

it('a text is learned as a whole, including its end', () => {
  expect(show(text, { text: 'Quick brown' })).toBe('Q[uick brown<|endoftext|>]');
  expect(show(text, { text: 'Quick<|endoftext|>' })).toBe('Q[uick<|endoftext|>]');
});

describe('a row is rejected with its file, its number and the reason', () => {
  const from = { file: 'train.jsonl', row: 12 };
  const asked = (changes: object) => chat({ ...user('a'), ...changes }, assistant('b'));
  const said = (changes: object) => chat(user('a'), { ...assistant('b'), ...changes });
  const deepCall = { function: { name: 'f', arguments: JSON.stringify(nested(1000)) } };
  const roles = 'use "system", "developer", "user", "assistant", "tool"';
  const complaint = (text: ModelText, row: unknown) => {
    try {
      text.encodeRow(row, from);
    } catch (error) {
      return error as RowError;
    }
    throw new Error('nothing was thrown');
  };

  it.each<[reason: string, row: unknown]>([
    ['it needs the column messages, or prompt and completion, ', { input: 'a', output: 'b' }],
    ['its keys: input, output', { input: 'a', output: 'b' }],
    ['it is not a JSON object', 'hello'],
    ['messages is empty', chat()],
    ['messages is not a list', { messages: 'hello' }],
    ['messages[1] is not an object', chat(user('a'), 'b')],
    ['it has no assistant message', chat(user('hello'))],
    ['assistant messages are empty', chat(user('hello'), assistant(' \n'))],
    ['assistant messages are empty', { prompt: 'hello', completion: '' }],
    ['its text is empty', { text: '  ' }],
    ['text is not a string', { text: 5 }],
    ['all its assistant messages have weight 0', said({ weight: 0 })],
    ['messages[1].weight is 0.5; it must be 0 (not learned) or 1', said({ weight: 0.5 })],
    ['messages[0] has the role user and a weight', asked({ weight: 0 })],
    ['messages[0] has the role user and no content', asked({ content: null })],
    ['messages[1] has no content; only an assistant message with tool_calls', said({ content: null })],
    ['messages[0].content is an empty list', asked({ content: [] })],
    ['messages[0].role is "human"; use "user"', asked({ role: 'human' })],
    ['messages[1].role is "ai"; use "assistant"', said({ role: 'ai' })],
    ['completion[0].role is "gpt"', { prompt: 'a', completion: [{ role: 'gpt', content: 'b' }] }],
    ['messages[0].role is "User"; use "user"', asked({ role: 'User' })],
    [`messages[0].role is "critic"; ${roles}`, asked({ role: 'critic' })],
    [`messages[0].role is "__proto__"; ${roles}`, asked({ role: '__proto__' })],
    ['from is "__proto__"; use one of human, user', { conversations: [{ from: '__proto__', value: 'a' }] }],
    ['tools is nested deeper than 100 levels', { ...said({}), tools: [nested(10_000)] }],
    ['tool_calls[0].function.arguments is nested deeper than 100 levels', said({ tool_calls: [deepCall] })],
    ['messages[1].tool_calls[0] is not an object', said({ tool_calls: ['f()'] })],
    [
      'messages[1].tool_calls[0] has no function name',
      said({ tool_calls: [{ function: { arguments: '' } }] }),
    ],
    ['messages[1].tool_calls[1] has no function name', said({ tool_calls: [{ name: 'f' }, { name: ' ' }] })],
    ['messages[0] has no role; write `from` as `role`', chat({ from: 'human', value: 'a' })],
    ['tools is not a list', { ...said({}), tools: 'add' }],
  ])('%s', (reason, row) => {
    const rejected = complaint(text, row);
    expect(rejected).toBeInstanceOf(RowError);
    expect(rejected).toMatchObject({ ...from, reason: expect.stringContaining(reason) });
    expect(rejected.message).toMatch(/^train\.jsonl, row 12: /);
  });

  it('that the chat template rejects', async () => {
    const strict = await openTiny({ template: "{{ raise_exception('take turns') }}" });
    const { message } = complaint(strict, said({}));
    expect(message).toMatch(/^train\.jsonl, row 12: .*take turns/);
    expect(message).not.toContain('svc-text-');
  });

  it('with an empty completion, if there is no chat template', () => {
    const empty = { prompt: 'hello', completion: '' };
    expect(complaint(plain, empty).message).toMatch(/row 12: its completion is empty/);
  });

  it.each([
    ['messages', said({})],
    ['a prompt of messages', { prompt: [{ role: 'user', content: 'hi' }], completion: 'hello' }],
  ])('but not with %s that the model has no chat template for: that is not its fault', (_, row) => {
    const rejected = complaint(plain, row);
    expect(rejected).not.toBeInstanceOf(RowError);
    expect(rejected.message).toBe(NO_CHAT_TEMPLATE);
  });
});

describe('a row is recognized by its columns', () => {
  it.each([
    [['messages', 'id'], 'messages'],
    [['messages', 'conversations'], 'messages'],
    [['prompt', 'completion'], 'prompt and completion'],
    [['conversations', 'source'], 'ShareGPT'],
    [['instruction', 'input', 'output'], 'Alpaca'],
    // Some Alpaca data sets repeat all of it as a text.
    [['instruction', 'input', 'output', 'text'], 'Alpaca'],
    [['text', 'instruction'], 'text'],
    [['prompt', 'chosen', 'rejected', 'score'], 'preferences'],
    [['input', 'preferred_output', 'non_preferred_output'], "OpenAI's preferences"],
    // Some data sets of preferences also have the chosen conversation, to train on it as it is.
    [['prompt', 'chosen', 'rejected', 'messages'], 'messages'],
    [['question', 'answer'], undefined],
  ])('%j as %s', (columns, name) => {
    expect(formatOf(columns)?.name).toBe(name);
  });

  it('and the formats are named where none is', () => {
    expect(describeFormats()).toBe(
      "messages, or prompt and completion, or conversations (ShareGPT), or instruction and output (Alpaca), or text, or chosen and rejected (preferences), or preferred_output and non_preferred_output (OpenAI's preferences)",
    );
  });
});

describe('a row is trained on as if it were a chat', () => {
  const system = { role: 'system', content: 'be brief' };
  const [hello, hi, again, yes] = [user('hello'), assistant('hi'), user('again'), assistant('yes')];
  const from = (name: string, value: string, more = {}) => ({ from: name, value, ...more });
  const [human, gpt] = [from('human', 'hello'), from('gpt', 'hi')];
  const apart = [human, { ...gpt, weight: 0 }, from('human', 'again'), from('gpt', 'yes')];
  const history = [['hello', 'hi']];

  it.each<[string, object, object[]]>([
    ['ShareGPT', { conversations: [from('system', 'be brief'), human, gpt] }, [system, hello, hi]],
    [
      'ShareGPT with its system message apart, empty tools, and a turn that is not learned',
      { system: 'be brief', tools: '', conversations: apart },
      [system, hello, { ...hi, weight: 0 }, again, yes],
    ],
    ['conversations with the messages of chats', { conversations: [hello, hi] }, [hello, hi]],
    [
      'Alpaca',
      { instruction: 'add', input: '1 and 2', output: '3' },
      [user('add\n\n1 and 2'), assistant('3')],
    ],
    [
      'Alpaca without input, after earlier turns',
      { instruction: 'again', input: '', output: 'yes', system: 'be brief', history },
      [system, hello, hi, again, yes],
    ],
  ])('%s', (_, row, messages) => {
    expect(text.encodeRow(row)).toEqual(text.encodeRow({ messages }));
  });

  it.each<[object, string]>([
    [{ conversations: 'a' }, 'conversations is not a list'],
    [{ conversations: [] }, 'conversations is empty'],
    [{ conversations: [{ from: 'human' }] }, 'conversations[0].value is not a string'],
    [{ conversations: [from('alien', 'a')] }, 'conversations[0].from is "alien"; use one of human, '],
    [{ conversations: [human] }, 'it has no assistant message to train on'],
    [{ conversations: [gpt], tools: '{' }, 'tools is not valid JSON'],
    [{ instruction: 'a', output: 3 }, 'output is not a string'],
    [{ instruction: 'a', output: 'b', history: [['c']] }, 'history[0] is not a question and an answer'],
  ])('%j is refused, because %s', (row, reason) => {
    expect(() => text.encodeRow(row)).toThrow(reason);
  });
});
