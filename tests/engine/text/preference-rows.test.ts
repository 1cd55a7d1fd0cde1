// Rows with two answers to the same prompt, as texts with their learned parts.
import { describe, expect, it } from 'vitest';
import { type ModelText, RowError } from '../../../lib/engine/text/index.js';
import { assistant, openPlain, openTiny, showLearned, user } from './tiny-text.js';

const text = await openTiny();
const plain = await openPlain();

function showPair(text: ModelText, row: unknown): string[] {
  const encoded = text.encodeRow(row, { method: 'dpo' });
  return [showLearned(text, encoded, 0, encoded.chosen), showLearned(text, encoded, encoded.chosen)];
}

const [hello, hi, no] = [user('hello'), assistant('hi'), assistant('no')];
const chosen = [hello, hi];
const rejected = [hello, no];
const answered = (answer: string) =>
  `<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n[${answer}<|im_end|>]\n`;

describe('a pair of answers', () => {
  const openAi = {
    input: { messages: [hello], tools: [], parallel_tool_calls: true },
    preferred_output: [hi],
    non_preferred_output: [no],
  };
  it.each<[string, object]>([
    ['a prompt and two texts', { prompt: 'hello', chosen: 'hi', rejected: 'no' }],
    ['an input and two texts', { input: 'hello', chosen: 'hi', rejected: 'no' }],
    ['lists of messages', { prompt: [hello], chosen: [hi], rejected: [no] }],
    ['messages and two texts', { messages: [hello], chosen: 'hi', rejected: 'no' }],
    ["OpenAI's format", openAi],
    ['conversations without a prompt', { chosen, rejected }],
    ['conversations that repeat the prompt', { prompt: 'hello', messages: chosen, chosen, rejected }],
    ['conversations that repeat a list', { prompt: [hello], chosen, rejected }],
  ])('is read from %s', (_, row) => {
    expect(showPair(text, row)).toEqual([answered('hi'), answered('no')]);
  });

  const answers = { chosen: 'hi', rejected: 'no' };
  const system = 'be brief';
  const briefly = { role: 'system', content: system };
  const history = [['hello', 'yes']];
  const earlier = [hello, assistant('yes')];
  it.each<[string, object, object[]]>([
    ['an instruction', { instruction: 'hello', ...answers }, [hello]],
    ['one with a blank input', { instruction: 'hello', input: '', ...answers }, [hello]],
    ['one with an input', { instruction: 'add', input: '1', ...answers }, [user('add\n\n1')]],
    ['one that is blank', { instruction: ' ', input: 'hello', ...answers }, [hello]],
    ['one after earlier turns', { instruction: 'a', history, ...answers }, [...earlier, user('a')]],
    [
      'one with all of it',
      { system, instruction: 'add', input: '1', history, ...answers },
      [briefly, ...earlier, user('add\n\n1')],
    ],
    ['a question', { question: 'hello', ...answers }, [hello]],
    ['a question and a system message', { system, question: 'hello', ...answers }, [briefly, hello]],
    ['a query', { query: 'hello', ...answers }, [hello]],
    ['a question in two columns', { instruction: 'hello', question: 'hello', ...answers }, [hello]],
    [
      'a prompt, whatever else there is',
      { prompt: 'hello', instruction: 'a', query: 'b', ...answers },
      [hello],
    ],
    ['messages, whatever else there is', { messages: [hello], instruction: 'a', ...answers }, [hello]],
    ['an input beside a question', { input: 'hello', question: 'a', ...answers }, [hello]],
    ['conversations beside a question', { question: 'Hello?', chosen, rejected }, [hello]],
    ['conversations after a system message', { system, chosen, rejected }, [briefly, hello]],
    ['conversations that repeat it', { system, prompt: 'hello', chosen, rejected }, [briefly, hello]],
    [
      'conversations that start with it',
      { system, prompt: 'hello', chosen: [briefly, ...chosen], rejected: [briefly, ...rejected] },
      [briefly, hello],
    ],
    ["OpenAI's format with a system message", { ...openAi, system }, [briefly, hello]],
    ["OpenAI's format beside an instruction", { ...openAi, instruction: 'a' }, [hello]],
  ])('is read from %s', (_, row, prompt) => {
    expect(showPair(text, row)).toEqual(showPair(text, { prompt, chosen: [hi], rejected: [no] }));
  });

  it('has an instruction as plain text without a chat template', () => {
    const row = { instruction: 'hello', input: '', chosen: ' hi', rejected: ' no' };
    expect(showPair(plain, row)).toEqual(['hello[ hi<|endoftext|>]', 'hello[ no<|endoftext|>]']);
  });

  it('learns only what follows the prompt, in conversations of several turns', () => {
    const before = [hello, hi, user('the answer?')];
    const row = { chosen: [...before, assistant('yes')], rejected: [...before, no] };
    const [better, worse] = showPair(text, row);
    expect(better).toMatch(/\nhi<\|im_end\|>\n.*\[yes<\|im_end\|>\]\n$/s);
    expect(worse).toMatch(/\nhi<\|im_end\|>\n.*\[no<\|im_end\|>\]\n$/s);
  });

  it('is plain text without a chat template, or if the prompt is only what both texts start with', () => {
    const both = ['hello[ hi<|endoftext|>]', 'hello[ no<|endoftext|>]'];
    expect(showPair(plain, { prompt: 'hello', chosen: ' hi', rejected: ' no' })).toEqual(both);
    expect(showPair(text, { chosen: 'hello hi', rejected: 'hello no' })).toEqual(both);
  });

  it('may say its question itself, as a text with both', () => {
    const [chosen, rejected] = ['Human: hello\n\nAssistant: hi', 'Human: hello\n\nAssistant: no'];
    for (const name of ['question', 'instruction'])
      expect(showPair(text, { [name]: 'hello', chosen, rejected })).toEqual(
        showPair(text, { chosen, rejected }),
      );
  });

  it('differs by words, which are learned as a whole', () => {
    const row = { chosen: 'hello\nthe dog', rejected: 'hello\nthat dog' };
    expect(showPair(plain, row)).toEqual(['hello\n[the dog<|endoftext|>]', 'hello\n[that dog<|endoftext|>]']);
    const longer = { chosen: 'What is the', rejected: 'What is that' };
    expect(showPair(plain, longer)).toEqual(['What is[ the<|endoftext|>]', 'What is[ that<|endoftext|>]']);
    const ended = { chosen: 'hello there', rejected: 'hello' };
    expect(showPair(plain, ended)).toEqual(['hello[ there<|endoftext|>]', 'hello[<|endoftext|>]']);
  });

  it('may reject an empty answer', () => {
    const row = { prompt: 'hello', chosen: 'hi', rejected: '' };
    expect(showPair(text, row)[1]).toBe(answered(''));
    expect(showPair(plain, row)[1]).toBe('hello[<|endoftext|>]');
  });

  it('may have the same answer twice', () => {
    const twice = [answered('hi'), answered('hi')];
    expect(showPair(text, { prompt: 'hello', chosen: 'hi', rejected: 'hi' })).toEqual(twice);
    expect(showPair(text, { chosen, rejected: chosen })).toEqual(twice);
    const [whole] = showPair(text, { chosen: 'hello hi', rejected: 'hello hi' });
    expect(whole).toBe('he[llo hi<|endoftext|>]');
  });

  it('is truncated answer by answer, and has nothing to learn if one is cut off', () => {
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
    expect(head).toMatchObject({ truncated: true, chosen: 4, supervised: Array(8).fill(false) });
  });
});

describe('a pair is rejected with the reason', () => {
  const broken = 'its chosen answer does not work: ';
  const apart = 'it has no prompt: its chosen and rejected have';
  it.each<[object, string]>([
    [{ prompt: 'hello', chosen: '', rejected: 'no' }, `${broken}its assistant messages are empty`],
    [{ prompt: 'hello', chosen: 'hi', rejected: 5 }, 'rejected is neither a string nor a list of messages'],
    [{ prompt: 'hello', chosen: [user('more')], rejected: [hello] }, `${broken}it has no assistant message`],
    [{ chosen: 'hi', rejected: 'no' }, `${apart} nothing in common at the start; give it the column prompt`],
    [{ chosen: [hi], rejected: [no] }, `${apart} no message in common`],
    [{ chosen: 'hi', rejected: [no] }, 'it has no prompt; give it the column prompt'],
    [
      { system: 'be brief', chosen: 'hello hi', rejected: 'hello no' },
      'it has a system message, but no prompt; give it the column prompt',
    ],
    [
      { instruction: 'a', question: 'b', chosen: 'hi', rejected: 'no' },
      'it has instruction and question; name the one that is asked, with columns: { prompt: "instruction", chosen:',
    ],
    [{ instruction: 'a', input: [hello], chosen: 'hi', rejected: 'no' }, 'input is not a string'],
    [{ instruction: 'a', history: 'b', chosen: 'hi', rejected: 'no' }, 'history is not a list'],
    [
      { prompt: 'hello', completion: 'hi' },
      'the method dpo compares two answers, so it needs the column chosen and rejected (preferences), or',
    ],
    [{ messages: [hello, hi] }, 'remove `method` to learn answers as they are'],
    [{ color: 'red' }, 'it needs the column chosen and rejected (preferences), or preferred_output'],
  ])('%j', (row, reason) => {
    const encode = () => text.encodeRow(row, { method: 'dpo', file: 'pairs.jsonl', row: 7 });
    expect(encode).toThrow(RowError);
    expect(encode).toThrow(`pairs.jsonl, row 7: `);
    expect(encode).toThrow(reason);
  });

  it('if answers are to be learned as they are', () => {
    expect(() => text.encodeRow({ prompt: 'hello', chosen: 'hi', rejected: 'no' })).toThrow(
      'it has a preferred and a rejected answer; train with method: { type: "dpo" } to learn from both',
    );
  });
});
