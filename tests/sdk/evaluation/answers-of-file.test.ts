// Answers of a file as one side of a comparison: read by line, and held to the rows.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../../lib/contract/index.js';
import { matchAnswers, readAnswersOfFile } from '../../../lib/sdk/evaluation/answers-of-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const path = join(temporaryFolder('svc-answers'), 'answers.jsonl');

async function read(lines: readonly (object | string)[]) {
  const text = lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line)));
  await writeFile(path, text.join('\n'));
  return readAnswersOfFile(path);
}

const asked = (content: unknown, more: readonly object[] = []) => ({
  input: { messages: [...more, { role: 'user', content }] },
});
const line = (row: number, content = `question ${row}`) => ({
  row,
  ...asked(content),
  answer: `answer ${row}`,
});

const rowsOf = (...questions: (string | readonly object[])[]) => ({
  name: 'rows.jsonl',
  digest: '',
  rows: questions.map((question, index) => ({
    row: index + 1,
    input: '',
    expected: 'yes',
    messages: (typeof question === 'string'
      ? [{ role: 'user', content: question }]
      : question) as readonly ChatMessage[],
  })),
});
const match = async (
  lines: readonly (object | string)[],
  rows: ReturnType<typeof rowsOf>,
  isLimited = false,
) => matchAnswers(await read(lines), rows, { isLimited });

describe('the answers of a file', () => {
  it('are those to the rows, in whatever order they came, with their tokens', async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 3 };
    const answers = await match([line(2), '', { ...line(1), usage }], rowsOf('question 1', 'question 2'));
    expect(answers).toEqual([
      { answer: 'answer 1', promptTokens: 5, completionTokens: 3 },
      { answer: 'answer 2' },
    ]);
  });

  it('name the model, if it is known, and the file', async () => {
    expect((await read([line(1), { ...line(2), model: 'ft:x' }])).subject).toEqual({
      target: { kind: 'answers', file: 'answers.jsonl', model: 'ft:x' },
      endpoint: null,
    });
    expect((await read([line(1)])).subject.target).toMatchObject({ model: null });
  });

  it('are to the same question, however it is written', async () => {
    const parts = [
      { type: 'text', text: 'question ' },
      { type: 'text', text: '1' },
    ];
    const prompt = { row: 2, input: { prompt: 'question 2' }, answer: 'b' };
    const answers = await match(
      [{ ...line(1), ...asked(parts) }, prompt],
      rowsOf([{ role: 'user', content: 'question 1', name: 'me' }], 'question 2'),
    );
    expect(answers.map(({ answer }) => answer)).toEqual(['answer 1', 'b']);
  });

  it('are the last ones to the row as it is: one that was changed was asked twice', async () => {
    const answers = await match(
      [line(1, 'before'), { ...line(1), answer: 'first' }, { ...line(1), answer: 'last' }, line(1, 'after')],
      rowsOf('question 1'),
    );
    expect(answers).toEqual([{ answer: 'last' }]);
  });

  it('may be none, with a reason', async () => {
    const none = (more: object) => ({ ...line(1), answer: null, ...more });
    const reasonOf = async (more: object) => (await match([none(more)], rowsOf('question 1')))[0]!.error;
    expect(await reasonOf({ error: 'It was refused.' })).toBe('It was refused.');
    expect(await reasonOf({})).toBe('The model gave no text.');
  });

  it('may be calls of functions', async () => {
    const call = { id: 'call_a', type: 'function', function: { name: 'stop', arguments: '{"now":true}' } };
    expect(await match([{ ...line(1), answer: null, toolCalls: [call] }], rowsOf('question 1'))).toEqual([
      { answer: '', calls: [{ id: 'call_a', name: 'stop', arguments: { now: true } }] },
    ]);
  });
});

describe('a file that does not fit', () => {
  const fits = (problem: string) =>
    `answers.jsonl does not fit the rows of rows.jsonl: ${problem}. Compare on the rows that were asked, and ask those that are missing.`;

  it('says how many rows it does not answer, and how the first one differs', async () => {
    const rows = rowsOf('question 1', 'question 2', 'question 3', 'question 4');
    await expect(match([line(1), line(2, 'other'), line(4)], rows)).rejects.toMatchObject({
      code: 'dataset_invalid',
      message: fits(
        'it does not answer 2 of 4. The first is row 2: it asks "question 2" where the answer is to "other"',
      ),
    });
    await expect(match([line(1), line(2), line(4)], rows)).rejects.toThrow(
      fits('it does not answer 1 of 4. The first is row 3, which it does not have'),
    );
  });

  it('finds the message that differs, also one that only one side has', async () => {
    const system = { role: 'system', content: 'be short' };
    const user = { role: 'user', content: 'question 1' };
    await expect(match([line(1)], rowsOf([system, user]))).rejects.toThrow(
      'it asks "be short" where the answer is to "question 1"',
    );
    const more = { ...line(1), input: { messages: [user, system] } };
    await expect(match([more], rowsOf('question 1'))).rejects.toThrow(
      'it asks nothing more where the answer is to "be short"',
    );
  });

  it('has answers to rows that are not there, unless only the first ones are asked', async () => {
    const lines = [line(1), line(2), line(3)];
    await expect(match(lines, rowsOf('question 1'))).rejects.toThrow(fits('it answers 2 more'));
    expect(await match(lines, rowsOf('question 1'), true)).toHaveLength(1);
  });

  it.each([
    ['no JSON', '{'],
    ['no row', { ...asked('a'), answer: 'b' }],
    ['no question', { row: 1, answer: 'b' }],
    ['an answer that is no text', { row: 1, ...asked('a'), answer: 1 }],
    ['rows to train on', { messages: [{ role: 'user', content: 'a' }] }],
  ])('is named by line: %s', async (_, odd) => {
    await expect(read([line(1), odd])).rejects.toMatchObject({
      code: 'dataset_invalid',
      message: expect.stringMatching(/^answers\.jsonl, line 2 is not an answer: it needs "row", "input"/),
    });
  });

  it('is empty, or missing', async () => {
    await expect(read([''])).rejects.toThrow('answers.jsonl has no answers.');
    await expect(readAnswersOfFile(join(path, '../none.jsonl'))).rejects.toThrow(
      'none.jsonl does not exist.',
    );
  });
});
