// Scores as evals: rows of a file or of the program are asked and scored like those of `svc eval`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { scoreCalls, scoreTask } from '../../lib/sdk/public.js';
import type { EvalContext, Infer, InferInput } from '../../lib/sdk/trainer/options.js';
import { defineTask } from '../../lib/task/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { toCompletion } from './support.js';

const label = defineTask({
  name: 'tone',
  input: z.string(),
  output: z.enum(['kind', 'rude']),
  prompt: text => [{ role: 'user', content: text.toUpperCase() }],
});
const ticket = defineTask({
  name: 'ticket',
  input: z.string(),
  output: z.object({ desk: z.enum(['coin', 'door']), heat: z.number() }),
});

afterEach(() => vi.restoreAllMocks());

/** A context whose model answers by the last message; and what it was asked. */
function contextOf(answer: (text: string) => Parameters<typeof toCompletion>[0]) {
  const asked: InferInput[] = [];
  const infer = (async (input: InferInput) => {
    asked.push(input);
    return toCompletion(answer(input.messages.at(-1)!.content as string));
  }) as Infer;
  const context: EvalContext = { step: 1, adapter: { kind: 'final', jobId: 'j' }, infer };
  return { context, asked };
}

describe('scoreTask', () => {
  it('asks the rows of a file with the prompt of the program, and returns the share that is right', async () => {
    const folder = temporaryFolder('svc-score-task');
    vi.spyOn(process, 'cwd').mockReturnValue(folder);
    const rows = ['a', 'b', 'c', 'd'].map(input => ({ input, output: input === 'd' ? 'rude' : 'kind' }));
    writeFileSync(join(folder, 'rows.jsonl'), rows.map(row => `${JSON.stringify(row)}\n`).join(''));
    const { context, asked } = contextOf(() => 'kind');
    expect(await scoreTask(label, { on: 'rows.jsonl' })(context)).toBe(0.75);
    expect(asked.map(({ messages }) => messages[0]!.content)).toEqual(['A', 'B', 'C', 'D']);
    expect(asked[0]).toMatchObject({ temperature: 0 });
    expect(asked[0]).not.toHaveProperty('schema');
    expect(await scoreTask(label, { on: 'rows.jsonl', limit: 3 })(context)).toBe(1);
  });

  it('constrains answers with fields, and has their scores by name', async () => {
    const on = [
      { input: 'a', output: { desk: 'coin', heat: 1 } },
      { input: 'b', output: { desk: 'door', heat: 3 } },
    ] as const;
    const { context, asked } = contextOf(() => '{"desk":"door","heat":2}');
    const measure = (score?: string) => scoreTask(ticket, { on, ...(score && { score }) })(context);
    expect(await measure()).toBe(0.25);
    expect(await measure('field.desk')).toBe(0.5);
    expect(await measure('distance.heat')).toBe(1);
    expect(asked[0]!.schema).toEqual(ticket.description.output);
  });

  it('names what cannot be: a score, a row, a file', async () => {
    expect(() => scoreTask(label, { on: [], score: 'f1' })).toThrow(
      'scoreTask: the task tone has no score "f1". There are: accuracy, valid.',
    );
    const { context } = contextOf(() => 'kind');
    const wrong = [{ input: 'a', output: 'loud' as 'kind' }];
    await expect(scoreTask(label, { on: wrong })(context)).rejects.toThrow(/^the rows, row 1: /);
    await expect(scoreTask(label, { on: [] })(context)).rejects.toThrow('the rows has no rows');
    await expect(scoreTask(label, { on: '/nowhere.jsonl' })(context)).rejects.toThrow('does not exist');
    await expect(
      scoreTask(ticket, { on: [{ input: 'a', output: { desk: 'coin', heat: 1 } }], score: 'distance.heat' })(
        context,
      ),
    ).rejects.toThrow('has the score distance.heat');
  });
});

describe('scoreCalls', () => {
  const tools = [{ type: 'function', function: { name: 'light', parameters: { type: 'object' } } }];
  const call = (room: string) => ({
    id: 'call_1',
    type: 'function',
    function: { name: 'light', arguments: JSON.stringify({ room }) },
  });
  const on = ['hall', 'attic', 'thanks'].map(content => ({
    tools,
    messages: [
      { role: 'user', content },
      content === 'thanks'
        ? { role: 'assistant', content: 'Good night.' }
        : { role: 'assistant', content: null, tool_calls: [call(content)] },
    ],
  }));

  it('asks with the functions of each row, and returns the share of right calls', async () => {
    const { context, asked } = contextOf(text =>
      text === 'thanks' ? 'Good night.' : { content: null, tool_calls: [call('hall')] },
    );
    expect(await scoreCalls({ on })(context)).toBe(2 / 3);
    expect(asked.map(request => request.tools)).toEqual([tools, tools, tools]);
    expect(await scoreCalls({ on, score: 'functions' })(context)).toBe(1);
    expect(await scoreCalls({ on, score: 'f1', limit: 3 })(context)).toBe(1);
  });

  it('names what cannot be: a score, a row', async () => {
    expect(() => scoreCalls({ on, score: 'accuracy' as 'calls' })).toThrow(
      'scoreCalls: there is no score "accuracy". There are: calls, functions, arguments, valid, f1.',
    );
    const { context } = contextOf(() => 'yes');
    const bare = { messages: on[0]!.messages };
    await expect(scoreCalls({ on: [bare] })(context)).rejects.toThrow('has no tools to call');
    await expect(scoreCalls({ on, score: 'valid' })(context)).rejects.toThrow('has the score valid');
  });
});
