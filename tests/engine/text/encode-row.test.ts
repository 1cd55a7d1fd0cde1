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

/** The whole text of an example, with what is learned in brackets. */
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

const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });

describe('a chat', () => {
  const row = { messages: [user('hello'), assistant('hi'), user('the answer?'), assistant('yes')] };

  it('teaches what the assistant says', async () => {
    expect(show(await open(), row)).toBe(
      '<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n[hi<|im_end|>]\n' +
        '<|im_start|>user\nthe answer?<|im_end|>\n<|im_start|>assistant\n[yes<|im_end|>]\n',
    );
  });

  it('is written with the tools of its row and the variables that are given', async () => {
    const template =
      '{% for tool in tools %}{{ tool.name }}{% endfor %}{{ day }}{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}';
    const withTools = { messages: [user('a'), assistant('b')], tools: [{ name: 'add' }] };
    const variables = { day: ' on Monday ' };
    expect(show(await open({ template }), withTools, { variables })).toBe(
      'add on Monday <user>a<assistant>[b]',
    );
  });

  it('teaches everything on demand', async () => {
    expect(show(await open(), { messages: [user('a'), assistant('b')] }, { trainOn: 'all' })).toBe(
      '<|im_start|>[user\na<|im_end|>\n<|im_start|>assistant\nb<|im_end|>\n]',
    );
  });

  it('loses its end when it is too long, and says so', async () => {
    const text = await open();
    const { ids, truncated } = text.encodeRow(row);
    expect(truncated).toBe(false);
    expect(text.encodeRow(row, { maxLength: ids.length }).truncated).toBe(false);
    const shorter = text.encodeRow(row, { maxLength: ids.length - 3 });
    expect(shorter.truncated).toBe(true);
    expect(shorter.ids).toEqual(ids.slice(0, -3));
    expect(shorter.supervised).toHaveLength(ids.length - 3);
  });
});

describe('a prompt and its completion', () => {
  it('are a chat of one turn where there is a chat template', async () => {
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

  it('are learned alike where the template marks what is generated', async () => {
    const template =
      '{% for m in messages %}<{{ m.role }}>{% if m.role == "assistant" %}{% generation %}{{ m.content }}' +
      '{% endgeneration %}{% else %}{{ m.content }}{% endif %}{% endfor %}';
    const row = { prompt: [user('a'), assistant('b'), user('c')], completion: [assistant('d')] };
    expect(show(await open({ template }), row)).toBe('<user>a<assistant>b<user>c<assistant>[d]');
  });

  it('are one text where there is none; the completion is learned, and to end', async () => {
    const row = { prompt: 'Q: the answer?\nA:', completion: ' yes' };
    const text = await openPlain();
    expect(show(text, row)).toBe('Q: the answer?\nA:[ yes<|endoftext|>]');
    expect(show(text, row, { trainOn: 'all' })).toBe('Q[: the answer?\nA: yes<|endoftext|>]');
  });

  it('begin as the tokenizer begins a text', async () => {
    const single = [{ SpecialToken: { id: '<|im_start|>' } }, { Sequence: { id: 'A' } }];
    const post_processor = { type: 'TemplateProcessing', single };
    const text = await openPlain({ tokenizer: { post_processor } });
    expect(show(text, { prompt: 'Q:', completion: ' yes' })).toBe('<|im_start|>Q:[ yes<|endoftext|>]');
    expect(show(text, { text: 'yes' })).toBe('<|im_start|>[yes<|endoftext|>]');
  });
});

describe('a text', () => {
  it('is learned as a whole, and to end', async () => {
    const text = await open();
    expect(show(text, { text: 'Quick brown' })).toBe('Q[uick brown<|endoftext|>]');
    expect(show(text, { text: 'Quick<|endoftext|>' })).toBe('Q[uick<|endoftext|>]');
  });
});

describe('a row is refused with its file, its number and the reason', () => {
  const from = { file: 'train.jsonl', row: 12 };
  const long = { messages: [user('hello there, the answer?'), assistant('yes')] };
  it.each<[string, unknown, RegExp, RowOptions?]>([
    ['of no known shape', { input: 'a', output: 'b' }, /neither messages.*its keys: input, output/],
    ['that is no object', 'hello', /not a JSON object/],
    ['without messages', { messages: [] }, /messages is empty/],
    ['with something else for messages', { messages: 'hello' }, /messages is not a list/],
    ['with a message that is none', { messages: [user('a'), 'b'] }, /messages\[1\] is not an object/],
    ['in which the assistant does not speak', { messages: [user('hello')] }, /no assistant message/],
    [
      'in which the assistant says nothing',
      { messages: [user('hello'), assistant(' \n')] },
      /assistant messages are empty/,
    ],
    ['whose completion is empty', { prompt: 'hello', completion: '' }, /assistant messages are empty/],
    ['whose text is empty', { text: '  ' }, /its text is empty/],
    ['whose text is none', { text: 5 }, /text is not a text/],
    [
      'that is cut before anything to learn',
      long,
      /none of its first 9 tokens of \d+ .*allow longer/,
      { maxLength: 9 },
    ],
    ['with tools that are none', { ...long, tools: 'add' }, /tools is not a list/],
  ])('%s', async (_, row, reason, options) => {
    const text = await open();
    const refused = getError(() => text.encodeRow(row, { ...from, ...options }));
    expect(refused).toBeInstanceOf(RowError);
    expect(refused).toMatchObject({ ...from, reason: expect.stringMatching(reason) });
    expect(refused.message).toMatch(/^train\.jsonl, row 12: /);
  });

  it('that the chat template refuses', async () => {
    const text = await open({ template: "{{ raise_exception('take turns') }}" });
    expect(() => text.encodeRow(long, from)).toThrow(/^train\.jsonl, row 12: .*take turns/);
  });

  it('whose completion is empty, or a list, where there is no chat template', async () => {
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
