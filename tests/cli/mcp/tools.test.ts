// What an agent gives a tool is never an option of the command: some options spend minutes, or reach further than what was asked.
import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../../cli/mcp/tools.js';
import { sampleDeployment, sampleJob } from '../../support/samples.js';

const GIVEN = '--measure';
const toolNamed = (name: string) => TOOLS.find(tool => tool.name === name)!;
const readAs = (name: string, document: object) => {
  const { read, output } = toolNamed(name);
  return output.parse(read(document as never, {}));
};
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
  const calls = [{ name: 'add', arguments: '{"a":1}' }];
  const best = { text: 'x'.repeat(5000), calls: [], cutFrom: null, reward: 1, parts: { right: 1 } };
  const worst = { text: '', calls, cutFrom: null, reward: 0, parts: {} };
  const group = { row: 3, prompt: 'How many?', answers: 8, failed: 1, error: 'Slow.', mean: 0.5 };
  const step = { steps: [1, 20], step: 20, total: 4, quiet: 1 };
  const found = readAs('read_answers', { ...step, groups: [{ ...group, best, worst }] });
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

describe('worst_rows', () => {
  const textOf = (prompt: string) => ({ file: 'rows.jsonl', number: 1, prompt, answer: 'A' });
  const row = { row: 0, first: 2, last: 1 };

  it('cuts a text at a whole character', () => {
    const rows = ['x', ''].map(start => ({ ...row, text: textOf(start + '😀'.repeat(400)) }));
    const read = readAs('worst_rows', { rows, unrecorded: null });
    expect(read).toMatchObject({
      rows: [{ prompt: `x${'😀'.repeat(299)}…` }, { prompt: `${'😀'.repeat(300)}…` }],
    });
  });

  it('says why there are none', () => {
    const none = { rows: [], unrecorded: 'Runs that learn from rewards have no row losses.' };
    expect(readAs('worst_rows', none)).toEqual(none);
  });
});

it('list_jobs says how many jobs there are besides those that it shows', () => {
  const jobs = Array.from({ length: 31 }, () => sampleJob());
  const read = readAs('list_jobs', { jobs });
  expect(read).toMatchObject({ total: 31 });
  expect(read.jobs).toHaveLength(30);
});

it('ship says that the endpoint serves the adapter already', () => {
  const nothing = { passed: null, shipped: null, evaluation: null, rows: [], general: null, generalRows: [] };
  const deployment = sampleDeployment();
  const said = { passed: null, shipped: null, checks: [], scores: [], url: deployment.url };
  expect(readAs('ship', { ...nothing, deployment })).toEqual(said);
});

describe('the question to the user', () => {
  const ask = (name: string, input: object) => toolNamed(name).consent!(input as never).message;
  const [slug, job] = ['demo', '1a2b'];

  it('names the checkpoint that is published', () => {
    const end = 'of the job "1a2b" at the endpoint "demo", without comparing it with anything?';
    expect(ask('publish', { slug, job })).toBe(`Publish the final adapter ${end}`);
    expect(ask('publish', { slug, job, step: 5 })).toBe(`Publish checkpoint 5 ${end}`);
  });

  it('names what an adapter is judged by before it is shipped, or only compared', () => {
    const on = 'easy.jsonl';
    const minutes = 'This may take minutes.';
    const shipped = 'Serve "1a2b" at the endpoint "demo" if it is not worse than what is there';
    const compared = 'Compare "1a2b" with what "demo" serves';
    for (const [start, dryRun] of [
      [shipped, false],
      [compared, true],
    ] as const) {
      const asked = (more: object) => ask('ship', { slug, job, general: true, dryRun, ...more });
      expect(asked({})).toBe(`${start}? ${minutes}`);
      expect(asked({ on, general: false })).toBe(
        `${start}, on the rows of "easy.jsonl", without checking what it has forgotten? ${minutes}`,
      );
    }
  });

  it('names all that a model is scored by', () => {
    const asked = { model: 'latest', on: 'rows.jsonl' };
    expect(ask('evaluate', asked)).toBe('Ask "latest" all rows of "rows.jsonl"? This may take minutes.');
    expect(ask('evaluate', { ...asked, against: 'base', limit: 5, score: 'exact' })).toBe(
      'Ask "latest" the first 5 rows of "rows.jsonl", and compare it with "base", by the score "exact"? This may take minutes.',
    );
  });

  it('is cut at a whole character', () => {
    expect(ask('cancel_job', { job: `x${'😀'.repeat(60)}` })).toBe(`Cancel the job "x${'😀'.repeat(39)}…"?`);
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
