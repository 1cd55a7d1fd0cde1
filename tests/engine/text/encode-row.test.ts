import { afterEach, describe, expect, it } from 'vitest';
import { type ModelText, openText, RowError, type RowOptions } from '../../../lib/engine/text/index.js';
import { makeTextFolder, removeFolder, type TinyOptions } from '../../support/tiny-tokenizer.js';

let folder = '';
afterEach(() => removeFolder(folder));

async function open(options: TinyOptions = {}): Promise<ModelText> {
  folder = await makeTextFolder(options);
  return openText(folder);
}

const openPlain = (options: TinyOptions = {}) => open({ ...options, config: { chat_template: undefined } });

/** The text of an example, with the learned parts in brackets. */
function show(text: ModelText, row: unknown, options?: RowOptions): string {
  const { ids, supervised } = text.encodeRow(row, options);
  let shown = '';
  supervised.forEach((isLearned, index) => {
    if (isLearned && !supervised[index - 1]) shown += '[';
    shown += text.decode([ids[index]!]);
    if (isLearned && !supervised[index + 1]) shown += ']';
  });
  return shown;
}

function nested(depth: number): object {
  let value: object = {};
  for (let i = 0; i < depth; i++) value = { a: value };
  return value;
}

const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });

describe('a chat', () => {
  const row = { messages: [user('hello'), assistant('hi'), user('the answer?'), assistant('yes')] };

  it("learns the assistant's text", async () => {
    expect(show(await open(), row)).toBe(
      '<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n[hi<|im_end|>]\n' +
        '<|im_start|>user\nthe answer?<|im_end|>\n<|im_start|>assistant\n[yes<|im_end|>]\n',
    );
  });

  it('is rendered with the tools of its row and the given variables', async () => {
    const template =
      '{% for tool in tools %}{{ tool.name }}{% endfor %}{{ day }}{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}';
    const withTools = { messages: [user('a'), assistant('b')], tools: [{ name: 'add' }] };
    const variables = { day: ' on Monday ' };
    expect(show(await open({ template }), withTools, { variables })).toBe(
      'add on Monday <user>a<assistant>[b]',
    );
  });

  it('learns everything with trainOn "all"', async () => {
    expect(show(await open(), { messages: [user('a'), assistant('b')] }, { trainOn: 'all' })).toBe(
      '<|im_start|>[user\na<|im_end|>\n<|im_start|>assistant\nb<|im_end|>\n]',
    );
  });

  it('is truncated if it is too long', async () => {
    const text = await open();
    const { ids, truncated } = text.encodeRow(row);
    expect(truncated).toBe(false);
    expect(text.encodeRow(row, { maxLength: ids.length }).truncated).toBe(false);
    const shorter = text.encodeRow(row, { maxLength: ids.length - 3 });
    expect(shorter.truncated).toBe(true);
    expect(shorter.ids).toEqual(ids.slice(0, -3));
    expect(shorter.supervised).toHaveLength(ids.length - 3);
    expect([shorter.length, ids.length]).toEqual([ids.length, ids.length]);
  });

  it('has nothing to learn if it is truncated before the assistant speaks', async () => {
    const { supervised, truncated } = (await open()).encodeRow(row, { maxLength: 9 });
    expect([supervised.includes(true), truncated]).toEqual([false, true]);
  });

  const withWeights = (first?: unknown, second?: unknown) => ({
    messages: row.messages.map((message, index) => ({
      ...message,
      ...(index === 1 && { weight: first }),
      ...(index === 3 && { weight: second }),
    })),
  });
  const marking =
    '{% for m in messages %}<{{ m.role }}>{% if m.role == "assistant" %}{% generation %}{{ m.content }}' +
    '{% endgeneration %}{% else %}{{ m.content }}{% endif %}{% endfor %}';

  it.each<[string, TinyOptions, string]>([
    ['', {}, '<|im_end|>'],
    [' with generation tags', { template: marking }, ''],
  ])('does not learn a message with weight 0%s', async (_, options, ending) => {
    const text = await open(options);
    const learned = (given: unknown, how?: RowOptions) => show(text, given, how).match(/\[.*?\]/gs);
    expect(learned(withWeights(0))).toEqual([`[yes${ending}]`]);
    expect(learned(withWeights(1, 0))).toEqual([`[hi${ending}]`]);
    expect(learned(withWeights(null, 1))).toEqual([`[hi${ending}]`, `[yes${ending}]`]);
    expect(text.encodeRow(withWeights(0)).ids).toEqual(text.encodeRow(row).ids);
  });

  it('does not learn a message with weight 0 with trainOn "all"', async () => {
    const shown = show(
      await open(),
      { messages: [user('a'), { ...assistant('b'), weight: 0 }] },
      { trainOn: 'all' },
    );
    expect(shown).toBe('<|im_start|>[user\na<|im_end|>\n<|im_start|>assistant\n]b<|im_end|>[\n]');
  });

  it('may have an assistant message with tool calls and no content', async () => {
    const call = { id: '1', type: 'function', function: { name: 'add', arguments: '{}' } };
    const template =
      '{% for m in messages %}<{{ m.role }}>{{ m.content }}{% if m.tool_calls %}CALL{% endif %}<|im_end|>{% endfor %}';
    const text = await open({ template });
    const messages = [user('hello'), { role: 'assistant', content: null, tool_calls: [call] }];
    expect(show(text, { messages })).toContain('[CALL<|im_end|>]');
  });

  it('does not pass unknown fields to the template', async () => {
    const template =
      '{% for m in messages %}<{{ m.role }}>{{ m.content }}{{ m.mood }}{{ m.weight }}{{ m.name }}{% endfor %}';
    const text = await open({ template });
    const messages = [
      { ...user('a'), name: 'Ann', mood: 'glad' },
      { ...assistant('b'), weight: 1 },
    ];
    expect(text.decode(text.encodeRow({ messages }).ids)).toBe('<user>aAnn<assistant>b');
  });
});

describe('a prompt and its completion', () => {
  it('are a chat of one turn if there is a chat template', async () => {
    expect(show(await open(), { prompt: 'hello', completion: 'hi' })).toBe(
      '<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n[hi<|im_end|>]\n',
    );
  });

  it('may be lists of messages; turns of the prompt are not learned', async () => {
    const row = { prompt: [user('a'), assistant('b'), user('c')], completion: [assistant('d')] };
    const shown = show(await open(), row);
    expect(shown.match(/\[.*?\]/gs)).toEqual(['[d<|im_end|>]']);
    expect(shown).toContain('assistant\nb<|im_end|>');
  });

  it('are learned the same way with generation tags', async () => {
    const template =
      '{% for m in messages %}<{{ m.role }}>{% if m.role == "assistant" %}{% generation %}{{ m.content }}' +
      '{% endgeneration %}{% else %}{{ m.content }}{% endif %}{% endfor %}';
    const row = { prompt: [user('a'), assistant('b'), user('c')], completion: [assistant('d')] };
    expect(show(await open({ template }), row)).toBe('<user>a<assistant>b<user>c<assistant>[d]');
  });

  it('are one text without a chat template; the completion and its end are learned', async () => {
    const row = { prompt: 'Q: the answer?\nA:', completion: ' yes' };
    const text = await openPlain();
    expect(show(text, row)).toBe('Q: the answer?\nA:[ yes<|endoftext|>]');
    expect(show(text, row, { trainOn: 'all' })).toBe('Q[: the answer?\nA: yes<|endoftext|>]');
  });

  it("start with the tokenizer's special tokens", async () => {
    const single = [{ SpecialToken: { id: '<|im_start|>' } }, { Sequence: { id: 'A' } }];
    const post_processor = { type: 'TemplateProcessing', single };
    const text = await openPlain({ tokenizer: { post_processor } });
    expect(show(text, { prompt: 'Q:', completion: ' yes' })).toBe('<|im_start|>Q:[ yes<|endoftext|>]');
    expect(show(text, { text: 'yes' })).toBe('<|im_start|>[yes<|endoftext|>]');
  });
});

describe('a text', () => {
  it('is learned as a whole, including its end', async () => {
    const text = await open();
    expect(show(text, { text: 'Quick brown' })).toBe('Q[uick brown<|endoftext|>]');
    expect(show(text, { text: 'Quick<|endoftext|>' })).toBe('Q[uick<|endoftext|>]');
  });
});

describe('a row is rejected with its file, its number and the reason', () => {
  const from = { file: 'train.jsonl', row: 12 };
  const long = { messages: [user('hello there, the answer?'), assistant('yes')] };
  it.each<[string, unknown, RegExp, RowOptions?]>([
    [
      'with unknown keys',
      { input: 'a', output: 'b' },
      /it needs the column messages, or prompt and completion, .*its keys: input, output/,
    ],
    ['that is not an object', 'hello', /not a JSON object/],
    ['without messages', { messages: [] }, /messages is empty/],
    ['with messages that are not a list', { messages: 'hello' }, /messages is not a list/],
    [
      'with a message that is not an object',
      { messages: [user('a'), 'b'] },
      /messages\[1\] is not an object/,
    ],
    ['without an assistant message', { messages: [user('hello')] }, /no assistant message/],
    [
      'with empty assistant messages',
      { messages: [user('hello'), assistant(' \n')] },
      /assistant messages are empty/,
    ],
    ['with an empty completion', { prompt: 'hello', completion: '' }, /assistant messages are empty/],
    ['with an empty text', { text: '  ' }, /its text is empty/],
    ['with a text that is not a string', { text: 5 }, /text is not a string/],
    [
      'with weight 0 on all assistant messages',
      { messages: [user('a'), { ...assistant('b'), weight: 0 }] },
      /all its assistant messages have weight 0/,
    ],
    [
      'with a weight of 0.5',
      { messages: [user('a'), { ...assistant('b'), weight: 0.5 }] },
      /messages\[1\]\.weight is 0\.5; it must be 0 \(not learned\) or 1/,
    ],
    [
      'with a weight on a user message',
      { messages: [{ ...user('a'), weight: 0 }, assistant('b')] },
      /messages\[0\] has the role user and a weight/,
    ],
    [
      'with a user message whose content is null',
      { messages: [{ ...user(''), content: null }, assistant('b')] },
      /messages\[0\] has the role user and no content/,
    ],
    [
      'with an assistant message whose content is null',
      { messages: [user('a'), { ...assistant(''), content: null }] },
      /messages\[1\] has no content; only .* tool_calls/,
    ],
    [
      'with an empty list of parts',
      { messages: [{ ...user(''), content: [] }, assistant('b')] },
      /messages\[0\]\.content is an empty list/,
    ],
    [
      'with the role human',
      { messages: [{ ...user('a'), role: 'human' }, assistant('b')] },
      /messages\[0\]\.role is "human"; use "user"/,
    ],
    [
      'with the role ai',
      { messages: [user('a'), { ...assistant('b'), role: 'ai' }] },
      /messages\[1\]\.role is "ai"; use "assistant"/,
    ],
    [
      'with the role gpt in its completion',
      { prompt: 'a', completion: [{ role: 'gpt', content: 'b' }] },
      /completion\[0\]\.role is "gpt"; use "assistant"/,
    ],
    [
      'with a capitalized role',
      { messages: [{ ...user('a'), role: 'User' }, assistant('b')] },
      /messages\[0\]\.role is "User"; use "user"/,
    ],
    [
      'with an unknown role',
      { messages: [{ ...user('a'), role: 'critic' }] },
      /"critic"; use "system", "developer", "user", "assistant", "tool"/,
    ],
    [
      'with a role that every object has as a property',
      { messages: [{ ...user('a'), role: '__proto__' }] },
      /"__proto__"; use "system", "developer", "user", "assistant", "tool"/,
    ],
    [
      'with a speaker that every object has as a property',
      { conversations: [{ from: '__proto__', value: 'a' }] },
      /conversations\[0\]\.from is "__proto__"; use one of human, user/,
    ],
    [
      'with tools that are nested too deeply',
      { ...long, tools: [nested(10_000)] },
      /tools is nested deeper than 100 levels/,
    ],
    [
      'with a call whose arguments are nested too deeply',
      {
        messages: [
          user('a'),
          {
            ...assistant(''),
            tool_calls: [{ function: { name: 'f', arguments: JSON.stringify(nested(1000)) } }],
          },
        ],
      },
      /messages\[1\]\.tool_calls\[0\]\.function\.arguments is nested deeper than 100 levels/,
    ],
    [
      'with messages in ShareGPT format',
      { messages: [{ from: 'human', value: 'a' }] },
      /messages\[0\] has no role; write `from` as `role`/,
    ],
    ['with tools that are not a list', { ...long, tools: 'add' }, /tools is not a list/],
  ])('%s', async (_, row, reason, options) => {
    const text = await open();
    const rejected = getError(() => text.encodeRow(row, { ...from, ...options }));
    expect(rejected).toBeInstanceOf(RowError);
    expect(rejected).toMatchObject({ ...from, reason: expect.stringMatching(reason) });
    expect(rejected.message).toMatch(/^train\.jsonl, row 12: /);
  });

  it('that the chat template rejects', async () => {
    const text = await open({ template: "{{ raise_exception('take turns') }}" });
    const { message } = getError(() => text.encodeRow(long, from));
    expect(message).toMatch(/^train\.jsonl, row 12: .*take turns/);
    expect(message).not.toContain(folder);
  });

  it('with an empty completion, or with messages, if there is no chat template', async () => {
    const text = await openPlain();
    expect(() => text.encodeRow({ prompt: 'hello', completion: '' }, from)).toThrow(
      /row 12: its completion is empty/,
    );
    expect(() => text.encodeRow(long, from)).toThrow(/row 12: .* has no chat template/);
  });
});

function getError(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}
