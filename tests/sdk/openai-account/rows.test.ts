import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeRows, toQuestion } from '../../../lib/sdk/openai-account/rows.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const ask = (row: unknown) =>
  toQuestion({ row: 1, text: typeof row === 'string' ? row : JSON.stringify(row) });
const user = { role: 'user', content: 'hello there' };

it('a row ends at a line feed alone, and the last one at the end of the file', async () => {
  const path = join(temporaryFolder('svc-rows'), 'rows.jsonl');
  await writeFile(path, `{"prompt":"a\u2028b\u2029c"}\r\n\n{"prompt":"d"}`);
  expect(await describeRows(path)).toEqual({ rows: 2, longestRow: 18 });
});

describe('a row is asked', () => {
  it('as a chat up to its last answer, with its tools and without weights', () => {
    const earlier = { role: 'assistant', content: 'hm', weight: 0 };
    const tools = [{ type: 'function', function: { name: 'look' } }];
    const call = {
      role: 'assistant',
      tool_calls: [{ id: 'c', type: 'function', function: tools[0]!.function }],
    };
    expect(ask({ messages: [user, earlier, user, { role: 'assistant', content: 'yes' }] })).toMatchObject({
      path: '/chat/completions',
      body: { messages: [user, { role: 'assistant', content: 'hm' }, user] },
      expected: 'yes',
      tokens: { answered: 1 },
    });
    expect(ask({ messages: [user, call], tools, parallel_tool_calls: false })).toMatchObject({
      body: { messages: [user], tools, parallel_tool_calls: false },
      expected: call,
    });
  });

  it('as a pair, with the preferred answer expected', () => {
    const pair = {
      input: { messages: [user], tools: [] },
      preferred_output: [{ role: 'assistant', content: 'good' }],
      non_preferred_output: [{ role: 'assistant', content: 'bad' }],
    };
    expect(ask(pair)).toMatchObject({ body: { messages: [user] }, expected: 'good' });
    expect(ask(pair)?.body).not.toHaveProperty('tools');
  });

  it('as a prompt to continue, and as one to be graded, without an answer', () => {
    expect(ask({ prompt: 'once', completion: ' upon' })).toMatchObject({
      path: '/completions',
      body: { prompt: 'once' },
      expected: ' upon',
    });
    expect(ask({ messages: [user], answer: 3 })).toMatchObject({
      body: { messages: [user] },
      expected: null,
    });
  });

  it('not at all without a question', () => {
    for (const row of [
      '{',
      '5',
      'null',
      [],
      {},
      { messages: [] },
      { messages: [{ role: 'assistant', content: 'x' }] },
      { prompt: '' },
    ])
      expect(ask(row)).toBeNull();
  });
});
