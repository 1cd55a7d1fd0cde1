// What an agent gives a tool is never an option of the command: some options spend minutes, or reach further than what was asked.
import { expect, it } from 'vitest';
import { TOOLS } from '../../../cli/mcp/tools.js';

const GIVEN = '--measure';
const TEXTS = ['path', 'job', 'message', 'endpoint', 'model', 'on', 'against', 'score', 'slug', 'canary'];
const given = { ...Object.fromEntries(TEXTS.map(name => [name, GIVEN])), jobs: [GIVEN, GIVEN] };

it.each(TOOLS)('$name takes a text that begins with hyphens for what it is', ({ input, command }) => {
  const words = command(given);
  const end = words.indexOf('--');
  expect(words.slice(0, end < 0 ? words.length : end)).not.toContain(GIVEN);
  const isGiven = (name: string) => name in given;
  expect(words.filter(word => word.includes(GIVEN)).length > 0).toBe(Object.keys(input.shape).some(isGiven));
});

it('read_answers shows the best and the worst of a step, cut to what fits a conversation', () => {
  const { read, output } = TOOLS.find(({ name }) => name === 'read_answers')!;
  const calls = [{ name: 'add', arguments: '{"a":1}' }];
  const best = { text: 'x'.repeat(5000), calls: [], cutFrom: null, reward: 1, parts: { right: 1 } };
  const worst = { text: '', calls, cutFrom: null, reward: 0, parts: {} };
  const group = { row: 3, prompt: 'How many?', answers: 8, failed: 1, error: 'Slow.', mean: 0.5 };
  const step = { steps: [1, 20], step: 20, total: 4, quiet: 1 };
  const found = output.parse(read({ ...step, groups: [{ ...group, best, worst }] } as never, {}));
  const { answers: _, ...known } = group;
  expect(found).toEqual({
    ...step,
    prompts: [
      {
        ...known,
        best: { text: `${'x'.repeat(600)}…`, reward: 1, parts: { right: 1 } },
        worst: { text: 'add({"a":1})', reward: 0, parts: {} },
      },
    ],
  });
});

it('is asked with every text that a tool takes', () => {
  const takesText = (schema: { safeParse(value: unknown): { success: boolean } }) =>
    schema.safeParse(GIVEN).success || schema.safeParse([GIVEN, GIVEN]).success;
  const names = TOOLS.flatMap(({ input }) =>
    Object.entries(input.shape as Record<string, Parameters<typeof takesText>[0]>)
      .filter(([, schema]) => takesText(schema))
      .map(([name]) => name),
  );
  expect(names.filter(name => !(name in given))).toEqual([]);
});
