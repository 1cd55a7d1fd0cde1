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
