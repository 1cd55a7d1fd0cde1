// Rows with a chosen and a rejected answer, in the formats that people have, as two texts with their learned parts.
import { afterEach, describe, expect, it } from 'vitest';
import { type ModelText, openText, RowError, type RowOptions } from '../../../lib/engine/text/index.js';
import { makeTextFolder, removeFolder, type TinyOptions } from '../../support/tiny-tokenizer.js';

let folder = '';
afterEach(() => removeFolder(folder));

async function open(options: TinyOptions = {}): Promise<ModelText> {
  folder = await makeTextFolder(options);
  return openText(folder);
}

const openPlain = () => open({ config: { chat_template: undefined } });

/** Both texts of a pair, with the learned parts in brackets. */
function show(text: ModelText, row: unknown, options: RowOptions = {}): string[] {
  const { ids, supervised, chosen } = text.encodeRow(row, { method: 'dpo', ...options });
  const write = (from: number, to: number) => {
    let shown = '';
    for (let i = from; i < to; i++) {
      if (supervised[i] && (i === from || !supervised[i - 1])) shown += '[';
      shown += text.decode([ids[i]!]);
      if (supervised[i] && (i + 1 === to || !supervised[i + 1])) shown += ']';
    }
    return shown;
  };
  return [write(0, chosen!), write(chosen!, ids.length)];
}

const turn = (role: string, content: string) => ({ role, content });
const [user, assistant] = [turn('user', 'hello'), (content: string) => turn('assistant', content)];
const chat = (answer: string) =>
  `<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n[${answer}<|im_end|>]\n`;

describe('a pair of answers', () => {
  it.each<[string, object]>([
    ['a prompt and two texts', { prompt: 'hello', chosen: 'hi', rejected: 'no' }],
    ['an input and two texts', { input: 'hello', chosen: 'hi', rejected: 'no' }],
    ['lists of messages', { prompt: [user], chosen: [assistant('hi')], rejected: [assistant('no')] }],
    ['messages and two texts', { messages: [user], chosen: 'hi', rejected: 'no' }],
    [
      "OpenAI's format",
      {
        input: { messages: [user], tools: [], parallel_tool_calls: true },
        preferred_output: [assistant('hi')],
        non_preferred_output: [assistant('no')],
      },
    ],
    [
      'conversations without a prompt',
      { chosen: [user, assistant('hi')], rejected: [user, assistant('no')] },
    ],
    [
      'conversations that repeat the prompt',
      {
        prompt: 'hello',
        messages: [user, assistant('hi')],
        chosen: [user, assistant('hi')],
        rejected: [user, assistant('no')],
      },
    ],
    [
      'conversations that repeat a list',
      {
        prompt: [user],
        chosen: [user, assistant('hi')],
        rejected: [user, assistant('no')],
      },
    ],
  ])('is read from %s', async (_, row) => {
    expect(show(await open(), row)).toEqual([chat('hi'), chat('no')]);
  });

  it('learns only what follows the prompt, in conversations of several turns', async () => {
    const before = [user, assistant('hi'), turn('user', 'the answer?')];
    const row = { chosen: [...before, assistant('yes')], rejected: [...before, assistant('no')] };
    const [chosen, rejected] = show(await open(), row);
    expect(chosen).toMatch(/\nhi<\|im_end\|>\n.*\[yes<\|im_end\|>\]\n$/s);
    expect(rejected).toMatch(/\nhi<\|im_end\|>\n.*\[no<\|im_end\|>\]\n$/s);
  });

  it('is plain text if the prompt is only what both texts start with', async () => {
    expect(show(await open(), { chosen: 'hello hi', rejected: 'hello no' })).toEqual([
      'hello[ hi<|endoftext|>]',
      'hello[ no<|endoftext|>]',
    ]);
  });

  it('is plain text without a chat template', async () => {
    const row = { prompt: 'hello', chosen: ' hi', rejected: ' no' };
    expect(show(await openPlain(), row)).toEqual(['hello[ hi<|endoftext|>]', 'hello[ no<|endoftext|>]']);
  });

  it('may reject an empty answer', async () => {
    const row = { prompt: 'hello', chosen: 'hi', rejected: '' };
    expect(show(await open(), row)[1]).toBe(chat(''));
    expect(show(await openPlain(), row)[1]).toBe('hello[<|endoftext|>]');
  });

  it('may have the same answer twice', async () => {
    expect(show(await open(), { prompt: 'hello', chosen: 'hi', rejected: 'hi' })).toEqual([
      chat('hi'),
      chat('hi'),
    ]);
    const both = [user, assistant('hi')];
    expect(show(await open(), { chosen: both, rejected: both })).toEqual([chat('hi'), chat('hi')]);
    expect(show(await open(), { chosen: 'hello hi', rejected: 'hello hi' })[0]).toBe(
      'he[llo hi<|endoftext|>]',
    );
  });

  it('is truncated answer by answer, and has nothing to learn if one is cut off', async () => {
    const text = await open();
    const row = { prompt: 'hello', chosen: 'hi', rejected: 'no no no no no no' };
    const { ids, chosen, length } = text.encodeRow(row, { method: 'dpo' });
    const [long, short] = [ids.length - chosen!, chosen!];
    expect(long).toBeGreaterThan(short);
    expect(length).toBe(long);
    const cut = text.encodeRow(row, { method: 'dpo', maxLength: long - 2 });
    expect(cut).toMatchObject({ truncated: true, length: long, chosen: short });
    expect(cut.ids).toHaveLength(short + long - 2);
    expect(cut.supervised).toContain(true);
    const head = text.encodeRow(row, { method: 'dpo', maxLength: 4 });
    expect(head).toMatchObject({ truncated: true, chosen: 4 });
    expect(head.supervised).toEqual(Array(8).fill(false));
  });
});

describe('a pair is rejected with the reason', () => {
  it.each<[object, string]>([
    [
      { prompt: 'hello', chosen: '', rejected: 'no' },
      'its chosen answer does not work: its assistant messages are empty',
    ],
    [{ prompt: 'hello', chosen: 'hi', rejected: 5 }, 'rejected is not a list'],
    [
      { prompt: 'hello', chosen: [turn('user', 'more')], rejected: [user] },
      'its chosen answer does not work: it has no assistant message',
    ],
    [
      { chosen: 'hi', rejected: 'no' },
      'it has no prompt: its chosen and rejected have nothing in common at the start; give it the column prompt',
    ],
    [
      { chosen: [assistant('hi')], rejected: [assistant('no')] },
      'it has no prompt: its chosen and rejected have no message in common',
    ],
    [{ chosen: 'hi', rejected: [assistant('no')] }, 'it has no prompt; give it the column prompt'],
    [
      { prompt: 'hello', completion: 'hi' },
      'the method dpo compares two answers, so it needs the column chosen and rejected (preferences), or',
    ],
    [{ messages: [user, assistant('hi')] }, 'remove `method` to learn answers as they are'],
    [{ color: 'red' }, 'it needs the column chosen and rejected (preferences), or preferred_output'],
  ])('%j', async (row, reason) => {
    const text = await open();
    const encode = () => text.encodeRow(row, { method: 'dpo', file: 'pairs.jsonl', row: 7 });
    expect(encode).toThrow(RowError);
    expect(encode).toThrow(`pairs.jsonl, row 7: `);
    expect(encode).toThrow(reason);
  });

  it('if answers are to be learned as they are', async () => {
    const text = await open();
    expect(() => text.encodeRow({ prompt: 'hello', chosen: 'hi', rejected: 'no' })).toThrow(
      'it has a preferred and a rejected answer; train with method: { type: "dpo" } to learn from both',
    );
  });
});
