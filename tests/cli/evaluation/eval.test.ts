// svc eval and svc evals: scores, the verdict and what changed, against a cloud in memory.
import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { InferenceRequest } from '../../../lib/contract/index.js';
import { toCompletion } from '../../sdk/support.js';
import { sampleGate, sampleKeptEvaluation } from '../../support/sample-evaluation.js';
import { sampleDeployment } from '../../support/samples.js';
import { failure, projectOfEach } from '../support/project.js';

const target = { kind: 'base_model', baseModel: 'svc/other' } as const;
/** The base model says yes to all; what the endpoint serves is right but for the first row. */
const answerOf = ({ baseModel, messages }: InferenceRequest) => {
  const number = Number(/\d+/.exec(messages[0]!.content as string)![0]);
  return baseModel === 'svc/tiny' || number % 2 === 1 ? 'yes' : 'no';
};
const project = projectOfEach({
  isLinked: true,
  routes: { chat: ({ body }: { body: InferenceRequest }) => toCompletion(answerOf(body)) },
});
const { svc, json } = project;

beforeEach(async () => {
  const rows = Array.from({ length: 30 }, (_, index) => ({
    input: `question ${index + 1}`,
    output: index % 2 ? 'no' : 'yes',
  }));
  await project.write('rows.jsonl', rows.map(row => JSON.stringify(row)).join('\n'));
  project.cloud.deployments.push(sampleDeployment({ slug: 'bot', target }));
});

describe('svc eval', () => {
  it('prints scores with intervals, the matrix of labels and the worst rows', async () => {
    const { exitCode, stdout, stderr } = await svc('eval base --on rows.jsonl');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Accuracy +50\.0 % +33\.2 to 66\.8 % +30/);
    expect(stdout).toMatch(/no +0 +15\n/);
    expect(stdout).toMatch(/yes +0 +15\n/);
    expect(stdout).toMatch(/^2 +0\.0 % +no +yes +question 2$/m);
    expect(stderr).toContain('Answers: 100%');
  });

  it('says that it is better, and shows changed answers side by side', async () => {
    const { exitCode, stdout } = await svc('eval bot --on rows.jsonl --against base --out report.md');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Better: Accuracy +50.0 points');
    expect(stdout).toContain('15 better, 0 worse, 15 the same');
    expect(stdout).toMatch(/0\.0 % → 100\.0 % +no +yes +no +question 2\n/);
    const report = await readFile(project.path('report.md'), 'utf8');
    expect(report).toContain('**Better: Accuracy +50.0 points');
    expect(report).toContain('| 2 | question 2 | no | yes | no | 0.0 % → 100.0 % |');
  });

  it('replaces an earlier report, and no other file', async () => {
    const asked = () => project.cloud.calls.filter(call => call === 'POST /v1/inference/chat').length;
    for (let time = 0; time < 2; time++) await svc('eval base --on rows.jsonl --limit 1 --out reports/a.md');
    expect(await readFile(project.path('reports/a.md'), 'utf8')).toMatch(/^# Evaluation\n/);
    const before = asked();
    const refused = 'rows.jsonl is there, and is not the report of an evaluation. Choose another file.';
    const { id } = project.cloud.evaluations[0]!.evaluation;
    for (const call of ['eval bot --on rows.jsonl', `evals show ${id}`])
      expect(await svc(`${call} --out rows.jsonl`)).toMatchObject({
        exitCode: 1,
        stdout: '',
        stderr: expect.stringContaining(refused),
      });
    expect(asked()).toBe(before);
  });

  it('compares with the answers of a file, and asks no model for them', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => ({
      row: index + 1,
      model: 'ft:mini',
      input: { messages: [{ role: 'user', content: `question ${index + 1}` }] },
      answer: 'yes',
    }));
    const write = (answers: readonly object[]) =>
      project.write('old/answers.jsonl', answers.map(line => JSON.stringify(line)).join('\n'));
    await write(lines);
    const asked = () => project.cloud.calls.filter(call => call === 'POST /v1/inference/chat').length;
    const { exitCode, stdout } = await svc('eval bot --on rows.jsonl --against old/answers.jsonl');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Compared with +ft:mini \(answers\.jsonl\)$/m);
    expect(stdout).toContain('Better: Accuracy +50.0 points');
    expect(asked()).toBe(30);
    expect((await svc('evals list')).stdout).toContain('better than ft:mini (answers.jsonl)');
    await write(lines.slice(1));
    const refused = await svc('eval bot --on rows.jsonl --against old/answers.jsonl');
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain(
      'it does not answer 1 of 30. The first is row 1, which it does not have',
    );
    expect(asked()).toBe(30);
  });

  it('measured if it is worse, too, and answers as JSON', async () => {
    const { exitCode, stdout } = await svc('eval base --on rows.jsonl --against bot --limit 20 --json');
    expect(exitCode).toBe(0);
    const { evaluation, rows } = JSON.parse(stdout);
    expect(evaluation).toMatchObject({
      data: { rows: 20 },
      comparison: { scores: [{ verdict: 'worse' }, {}] },
    });
    expect(rows).toHaveLength(10);
  });

  it.each([
    ['eval base', 'missing option "--on"'],
    ['eval --on rows.jsonl', 'JOB|SLUG'],
    ['eval base --on rows.jsonl --split test', 'requires a data set of the Hub'],
  ])('refuses svc %s', async (line, message) => {
    const { exitCode, stderr } = await svc(line);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  it.each([
    ['eval base --on other.jsonl', 'does not exist'],
    ['eval zzz --on rows.jsonl', 'There is no job or endpoint "zzz"'],
    ['eval base --on rows.jsonl --score tone', 'There are: accuracy, valid'],
  ])('fails with svc %s, and asks nothing', async (line, message) => {
    const { exitCode, stderr } = await svc(line);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
    expect(project.cloud.calls).not.toContain('POST /v1/inference/chat');
  });
});

describe('svc evals', () => {
  it('lists, shows and deletes them by the start of their ID', async () => {
    project.cloud.evaluations.push(sampleKeptEvaluation());
    const { stdout } = await svc('evals list');
    expect(stdout).toMatch(
      /5e2b3c4d .*Accuracy 85\.0 % \(70\.9 to 92\.9 %\).*better than Base model: svc\/tiny/,
    );
    const shown = await svc('evals show 5e2b');
    expect(shown.stdout).toContain('Better: Accuracy +25.0 points');
    expect(shown.stdout).toContain('2 changed answers, worst first');
    expect((await json('evals show 5e2b --all')).rows).toHaveLength(3);
    expect((await svc('evals delete 5e2b --yes')).exitCode).toBe(0);
    expect(project.cloud.evaluations).toEqual([]);
  });

  it('lists those of the newest job', async () => {
    project.cloud.evaluations.push(sampleKeptEvaluation());
    project.addJob({ name: 'triage' });
    for (const job of ['latest', 'latest:triage'])
      expect((await svc(`evals list --job ${job}`)).stdout).toMatch(/^5e2b3c4d /m);
    expect(await svc('evals list --job latest:other')).toMatchObject(
      failure(1, 'There is no job named "other".'),
    );
    expect(await svc('evals list --job newest')).toMatchObject(
      failure(2, 'option "--job" must be the ID of a job, or its start, latest or latest:NAME.'),
    );
  });

  it('lists them at 80 columns with the verdict and the score whole, and the end of long names', async () => {
    const data = { name: 'data/2026/support/held-out.jsonl', digest: 'd'.repeat(64), rows: 40 };
    const gate = sampleGate({ passed: true, trial: 'dry_run' });
    project.cloud.evaluations.push(sampleKeptEvaluation({ data, gate }));
    const { stdout } = await svc('evals list', { env: { SVC_COLUMNS: '80' } });
    expect(stdout).toMatch(/^5e2b3c4d .*out\.jsonl, 40 rows +Accuracy 85\.0 % +passed \(dry run\)/m);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect((await json('evals list')).evaluations[0].gate.trial).toBe('dry_run');
  });

  it('cuts long texts for programs, too, but no ID', async () => {
    const kept = sampleKeptEvaluation({
      data: { ...sampleKeptEvaluation().evaluation.data, name: 'long/'.repeat(50) },
    });
    kept.rows[0]!.answer = 'word '.repeat(500);
    project.cloud.evaluations.push(kept);
    const list = (await svc('evals list')).stdout;
    expect(list).toMatch(/^5e2b3c4d {2}/m);
    expect(Math.max(...list.split('\n').map(line => line.length))).toBeLessThan(260);
    const rows = (await svc('evals show 5e2b')).stdout.split('worst first')[1]!;
    expect(rows).toContain('word word');
    expect(Math.max(...rows.split('\n').map(line => line.length))).toBeLessThan(260);
    expect((await json('evals show 5e2b')).rows[0].answer).toHaveLength(2500);
  });

  it('says how to make the first one', async () => {
    expect((await svc('evals list')).stdout).toContain('svc eval JOB --on rows.jsonl --against base');
    expect((await svc('evals show 5e2b')).exitCode).toBe(1);
  });

  it('prints no answer that steers the terminal', async () => {
    const kept = sampleKeptEvaluation();
    kept.rows[0]!.answer = 'evil\u001b[2J\u202e answer';
    project.cloud.evaluations.push(kept);
    const { stdout } = await svc('evals show 5e2b');
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain('\u202e');
  });
});
