// A trainer whose rows come from a teacher: what svc start and svc data check say of it, and what Ctrl-C leaves.
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDistilReporter } from '../../../cli/commands/start/distil.js';
import { createScreen } from '../../../cli/screen.js';
import type { DistilProgress } from '../../../lib/sdk/index.js';
import { type FakeTeacher, openFakeTeacher } from '../../support/fake-teacher.js';
import { samplePreview } from '../../support/sample-preview.js';
import { until } from '../../support/until.js';
import { completed, ended, started } from '../support/job-events.js';
import { failure, jsonLines, projectOfEach } from '../support/project.js';

const project = projectOfEach({ routes: { previewData: ({ body }) => samplePreview(body) } });
const { svc, start, jobsHave } = project;

let fake: FakeTeacher;
beforeEach(async () => {
  fake = await openFakeTeacher();
  jobsHave(started(), completed(), ended());
  await writeTrainer();
});
afterEach(() => fake.close());

const PRICES = 'prices: { input: 1, output: 2 }, maxTokens: 100';

const writeTrainer = (more = '', prompts = "['one', 'two', 'three', 'four']") =>
  project.writeEntry(`
    const teacher = { baseURL: '${fake.url}', model: 'teacher' };
    const dataset = { type: 'distilled', teacher, prompts: ${prompts}, ${more} };
    const trainer = { name: 'student', options: { name: 'student', dataset }, start() {} };
    export const service = Object.defineProperty({ trainer }, Symbol.for('svc.service'), { value: true });
  `);

describe('svc start', () => {
  it('asks the teacher, says what that takes and took, and trains on the rows', async () => {
    await writeTrainer(PRICES);
    const first = await svc('start');
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(first.stdout).toContain(
      [
        'Asking teacher for 4 answers: an estimated 34 tokens to send and at most 400 to receive, at most $0.00083.',
        '1 of 4 answers  15 tokens, $0.000020.',
        '2 of 4 answers  30 tokens, $0.000040.',
        '3 of 4 answers  45 tokens, $0.000060.',
        '4 answers of teacher, 4 of them new: 60 tokens, $0.000080.',
        'Data: ',
      ].join('\n'),
    );
    expect(project.cloud.jobs[0]!.job.config).toMatchObject({ datasetSource: { type: 'upload' } });
    const second = await svc('start');
    expect(second.stdout).toContain('\n4 answers of teacher, all of them here already.\nData: ');
    expect(fake.requests).toHaveLength(4);
  });

  it('says why answers are left out', async () => {
    fake.answer = ({ question }) =>
      question === 'one' ? '' : { content: 'to be', finish_reason: question === 'two' ? 'length' : 'stop' };
    await writeTrainer("keep: answer => answer !== 'x'");
    expect((await svc('start')).stdout).toContain(
      'Left out: 1 empty, 1 cut off at 1,024 tokens.\n! Answers that are cut off teach nothing. Raise `maxTokens` to ask for them again.\n',
    );
  });

  it('keeps stdout for events with --json', async () => {
    const { stdout, stderr, exitCode } = await svc('start --json');
    expect(exitCode).toBe(0);
    expect(jsonLines(stdout)[0]).toMatchObject({ type: 'training.started' });
    expect(stderr).toContain('Asking teacher for 4 answers');
  });

  it('stops at Ctrl-C, says what is kept, and goes on there', async () => {
    let release = () => {};
    fake.answer = async ({ question }) => {
      if (question === 'three') await new Promise<void>(resolve => (release = resolve));
      return 'answer';
    };
    await writeTrainer('concurrency: 1');
    const running = start('start');
    await until(() => fake.questions()).toEqual(['one', 'two', 'three']);
    running.signal('SIGINT');
    await running.shown('Waiting for the answers that are under way. Press Ctrl-C again to stop at once.');
    release();
    expect(await running.ended).toMatchObject({ exitCode: 130 });
    expect((await running.ended).stdout).toMatch(
      /\nStopped\. 3 of 4 answers are kept\. The next start resumes there\.\n$/,
    );
    expect(project.cloud.jobs).toEqual([]);
    expect((await svc('start')).stdout).toContain(
      '\nAsking teacher for 1 answer (3 of 4 are here already): an estimated',
    );
    expect(fake.questions()).toEqual(['one', 'two', 'three', 'four']);
  });

  it('does not start with a teacher that does not answer', async () => {
    await writeTrainer('', "'prompts.jsonl'");
    expect(await svc('start')).toMatchObject(failure(1, 'prompts.jsonl does not exist.'));
    await writeTrainer();
    await svc('build');
    fake.intercept = (_, response) => Boolean(response.writeHead(401).end());
    expect(await svc('start')).toMatchObject(failure(1, 'The teacher does not answer. 127.0.0.1:'));
    expect(project.cloud.jobs).toEqual([]);
  });
});

describe('svc data check', () => {
  it('asks, and trains nothing', async () => {
    const { stdout, stderr, exitCode } = await svc('data check --json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ config: { datasetSource: { type: 'upload' } } });
    expect(stderr).toContain('4 answers of teacher, 4 of them new: 60 tokens.');
    expect(project.cloud.jobs).toEqual([]);
  });

  it('has its rows written by svc data rows, which asks nothing twice', async () => {
    expect(await svc('data rows --out rows.jsonl --no-ask')).toMatchObject(failure(1, '0 of 4 prompts'));
    expect((await svc('data rows --out rows.jsonl')).stdout).toBe('Wrote 4 rows to rows.jsonl.\n');
    const [first] = jsonLines(await readFile(project.path('rows.jsonl'), 'utf8'));
    expect(first).toMatchObject({ messages: [{ role: 'user', content: 'one' }, { role: 'assistant' }] });
    await svc('data check');
    expect(fake.requests).toHaveLength(4);
  });

  it('asks nobody with --no-ask, as Studio and agents call it', async () => {
    const text = '0 of 4 prompts have an answer of teacher. Start a run or "svc data check"';
    expect(await svc('data check --no-ask')).toMatchObject(failure(1, text));
    expect(fake.requests).toEqual([]);
    await svc('data check');
    expect((await svc('data check --no-ask')).exitCode).toBe(0);
    expect(fake.requests).toHaveLength(4);
  });
});

describe('the progress', () => {
  const at = (answered: number, more: Partial<DistilProgress> = {}): DistilProgress => ({
    ...{ stage: 'asking', teacher: 'a-teacher', total: 1000, answered, known: 0, leftOut: {}, maxTokens: 10 },
    ...{ tokens: { input: 100 * answered, output: answered }, dollars: answered / 100, estimate: null },
    ...more,
  });

  it('is a bar on a terminal that fits its width', () => {
    for (const columns of [10, 20, 40, 60, 80]) {
      const drawn: string[] = [];
      const screen = createScreen({ write: () => true, isTTY: true, columns }, { NO_COLOR: '1' });
      const report = createDistilReporter(() => {}, { draw: line => drawn.push(line), screen });
      for (const answered of [0, 500, 1000]) report(at(answered));
      for (const line of drawn) expect(line.length).toBeLessThan(columns);
      if (columns === 80)
        expect(drawn[1]).toBe(
          `${'█'.repeat(15)}${'░'.repeat(15)}  500 of 1,000 answers  50,500 tokens, $5.00`,
        );
    }
  });

  it('says once why nothing moves, and that another process is at it', () => {
    const notes: string[] = [];
    const report = createDistilReporter(line => notes.push(line));
    const problem = { why: 'api.example answered 429.', ms: 30_000 };
    report(at(0, { stage: 'waiting' }));
    report(at(0));
    report(at(0, { problem }));
    report(at(0, { problem }));
    report(at(1));
    report(at(1, { problem: { ...problem, ms: 500 } }));
    report(at(1, { problem }));
    expect(notes).toEqual([
      'Another svc is asking a-teacher for this project. Waiting until it is done.',
      'Asking a-teacher for 1,000 answers.',
      '! api.example answered 429. Trying again in 30.0 s.',
      '! api.example answered 429. Trying again in 30.0 s.',
    ]);
  });
});
