// svc ship: measured against what is served and what the base model knows, and served only if it passes, against a cloud in memory.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { InferenceRequest, Target } from '../../lib/contract/index.js';
import { toCompletion } from '../sdk/support.js';
import { sampleDeployment } from '../support/samples.js';
import { entryOf, misuse, projectOfEach } from './support/project.js';

const idOf = (digit: string) => `${digit.repeat(8)}-0000-4000-8000-000000000001`;
const [SERVED, BETTER, WORSE, FORGETFUL] = ['1', '2', '3', '4'].map(idOf) as [string, string, string, string];
const final = (jobId: string): Target => ({ kind: 'adapter', adapter: { kind: 'final', jobId } });

/** Held-out questions have numbers. What is served knows half of the answers. Only one has forgotten how to repeat. */
function answerOf({ adapter, messages }: InferenceRequest): string {
  const question = messages.at(-1)!.content as string;
  const number = Number(/^question (\d+)$/.exec(question)?.[1] ?? 0);
  if (number === 0) return adapter?.jobId === FORGETFUL ? 'yes' : question.split('\n').at(-1)!;
  const right = number % 2 ? 'yes' : 'no';
  if (adapter?.jobId === WORSE) return 'maybe';
  return adapter?.jobId === SERVED || !adapter ? 'yes' : right;
}

/** What happens while answers are asked for. */
let meanwhile: () => void;
/** The data sets of the cloud, by the digest of their bytes. */
let uploads: Map<string, { id: string; bytes: number }>;
const keepUpload = (text: string, id: string) =>
  uploads.set(createHash('sha256').update(text).digest('hex'), { id, bytes: Buffer.byteLength(text) });
const project = projectOfEach({
  isLinked: true,
  routes: {
    getUpload: ({ query: { digest } }: { query: { digest: string } }) => ({
      upload: { sha256: digest, offset: uploads.get(digest)?.bytes ?? null },
    }),
    finishUpload: ({ query: { digest } }: { query: { digest: string } }) => {
      const { id, bytes } = uploads.get(digest)!;
      return { dataset: { id, sha256: digest, bytes, rows: 40, format: 'jsonl' } };
    },
    chat: ({ body }: { body: InferenceRequest }) => {
      meanwhile();
      return toCompletion(answerOf(body));
    },
  },
});
const { svc, json, print } = project;
const changes = () => project.cloud.calls.filter(call => /^(POST|PATCH) \/v1\/endpoints/.test(call));
const target = () => project.cloud.deployments.find(({ slug }) => slug === 'bot')?.target;

beforeEach(async () => {
  meanwhile = () => {};
  uploads = new Map();
  const rows = Array.from({ length: 40 }, (_, index) => ({
    input: `question ${index + 1}`,
    output: index % 2 ? 'no' : 'yes',
  }));
  await project.write('rows.jsonl', rows.map(row => JSON.stringify(row)).join('\n'));
  project.cloud.deployments.push(sampleDeployment({ slug: 'bot', target: final(SERVED) }));
  for (const id of [SERVED, BETTER, WORSE, FORGETFUL]) {
    const { archives } = project.addJob({ id, trainer: 'triage' });
    archives.final = new Uint8Array();
  }
});

const ship = (words: string) => svc(`ship bot --on rows.jsonl ${words}`);

describe('svc ship', () => {
  it('serves what does not lose, and keeps the verdict', async () => {
    const { exitCode, stdout } = await ship('--job 2222');
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    expect(stdout).toContain('Passed the gate of bot');
    expect(stdout).toMatch(/Held-out rows +passed +Better: Accuracy \+50\.0 points/);
    expect(stdout).toMatch(/General rows +passed +No difference found/);
    expect(stdout).toContain('20 changed answers, worst first');
    expect(stdout).toMatch(/\nShipped: bot serves Final adapter \(job 22222222\)\.\n$/);
    expect(target()).toEqual(final(BETTER));
    const [held, general] = project.cloud.evaluations.map(({ evaluation }) => evaluation);
    expect(held).toMatchObject({ subject: { endpoint: 'bot' }, gate: { passed: true } });
    expect(held!.gate!.checks[2]!.evaluationId).toBe(general!.id);
    expect(general!.data).toMatchObject({ name: 'general set of svc', rows: 48 });
  });

  it('refuses what loses, with an exit code and both answers', async () => {
    const { exitCode, stdout } = await ship('--job 3333');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/Held-out rows +failed +Worse: Accuracy −50\.0 points/);
    expect(stdout).toMatch(/100\.0 % → 0\.0 % +yes +yes +maybe +question 1\n/);
    expect(stdout).toMatch(/Refused: bot still serves Final adapter \(job 11111111\)\.\n$/);
    expect(changes()).toEqual([]);
    expect(project.cloud.evaluations[0]!.evaluation.gate).toMatchObject({ passed: false });
  });

  it('refuses what has forgotten what the base model knew, unless that is left out', async () => {
    const refused = await ship('--job 4444');
    expect(refused.exitCode).toBe(1);
    expect(refused.stdout).toMatch(/Held-out rows +passed/);
    expect(refused.stdout).toMatch(/General rows +failed +Worse/);
    expect(refused.stderr).toContain('"--no-general"');
    expect(changes()).toEqual([]);
    const { exitCode, stdout } = await ship('--job 4444 --no-general');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/General rows +left out +Left out by "--no-general"\./);
    expect(target()).toEqual(final(FORGETFUL));
  });

  it('asks general rows of the project in place of its own', async () => {
    const rows = Array.from({ length: 30 }, (_, n) => ({ input: `Say\nword ${n}`, output: `word ${n}` }));
    await project.write('general.jsonl', rows.map(row => JSON.stringify(row)).join('\n'));
    const { passed, general } = await json('ship bot --on rows.jsonl --job 4444 --general general.jsonl');
    expect(passed).toBe(false);
    expect(general.data).toMatchObject({ name: 'general.jsonl', rows: 30 });
  });

  it('asks no general rows of a job with a task, whose answers are about nothing else', async () => {
    const task = {
      name: 'yesno',
      kind: 'labels',
      labels: ['no', 'yes'],
      input: {},
      output: { enum: ['no', 'yes'] },
      prompt: [{ role: 'user', content: [{ path: [], as: 'text' }] }],
    };
    Object.assign(project.cloud.jobs.find(({ job }) => job.id === FORGETFUL)!.job, { task });
    const { exitCode, stdout } = await ship('--job 4444 --dry-run');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/General rows +left out +Its task is all that it answers/);
    expect((await ship('--job 4444 --general built-in')).exitCode).toBe(1);
  });

  it('asks for proof of a small loss if there is a margin', async () => {
    const { exitCode, stdout } = await ship('--job 2222 --limit 6 --margin 1% --dry-run');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/Held-out rows +failed .* A loss is not shown to be at most 1 points\./);
    expect((await ship('--job 2222 --margin 0.01 --dry-run')).exitCode).toBe(0);
  });

  it('changes nothing in a dry run', async () => {
    const { exitCode, stdout } = await ship('--job 2222 --dry-run');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Passed: bot may serve Final adapter (job 22222222). Nothing was changed.');
    expect(changes()).toEqual([]);
  });

  it('gives it a share of the requests first', async () => {
    const shipped = await json('ship bot --on rows.jsonl --job 2222 --canary 10%');
    expect(shipped).toMatchObject({
      passed: true,
      shipped: 'canary',
      deployment: { canary: { share: 0.1 } },
    });
    expect(target()).toEqual(final(SERVED));
  });

  it('makes a new endpoint of what does not lose against the base model', async () => {
    expect((await svc('ship fresh --on rows.jsonl --job 3333')).exitCode).toBe(1);
    expect(project.cloud.deployments).toHaveLength(1);
    const stdout = await print('ship fresh --on rows.jsonl --job 2222');
    expect(stdout).toContain('Shipped: fresh serves');
    const made = project.cloud.deployments.find(({ slug }) => slug === 'fresh');
    expect(stdout).toContain(`\n${made!.url}/v1/chat/completions\nCalls need a key.`);
    expect(stdout).toMatch(/ keys issue fresh --label TEXT\n$/);
    expect(made).toMatchObject({ target: final(BETTER), authMode: 'fixed_api_key' });
  });

  it('refuses a slug that cannot be had before anything is asked', async () => {
    const asked = vi.fn();
    meanwhile = asked;
    expect(await svc('ship www --on rows.jsonl --job 2222')).toMatchObject({
      exitCode: 1,
      stderr: 'svc: `www` is reserved. Choose another slug.\n',
    });
    expect(asked).not.toHaveBeenCalled();
  });

  it.each([
    ['--job 2222@40', 40],
    ['--job 2222 --step 40', 40],
    ['--job latest --step 40', 40],
  ])('takes a checkpoint as svc test does: %s', async (words, step) => {
    const { evaluation } = await json(`ship bot --on rows.jsonl --limit 2 --no-general --dry-run ${words}`);
    expect(evaluation.subject.target.adapter).toMatchObject({ kind: 'checkpoint', step });
  });

  it('has nothing to do for what is served already, and asks nothing', async () => {
    const { exitCode, stdout } = await ship('--job 1111');
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'bot serves this already: Final adapter (job 11111111).\n',
    });
    expect(project.cloud.calls).not.toContain('POST /v1/inference/chat');
  });

  it('serves nothing if something else is served by now', async () => {
    meanwhile = () => {
      project.cloud.deployments[0]!.target = final(WORSE);
    };
    const { exitCode, stderr } = await ship('--job 2222');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('serves something else now');
    expect(target()).toEqual(final(WORSE));
  });

  it('writes a report for a pull request', async () => {
    const report = await print('ship bot --on rows.jsonl --job 3333 --markdown');
    expect(report).toMatch(/^# bot: Final adapter \(job 33333333\)\n\n\*\*Refused: bot still serves/);
    expect(report).toContain('| Held-out rows | failed | Worse: Accuracy −50.0 points');
    expect(report).toContain('| Accuracy | 0.0 % | 0.0 to 8.8 % | 50.0 % | −50.0 points |');
    expect(report).toContain('| 1 | question 1 | yes | yes | maybe | 100.0 % → 0.0 % |');
    expect(report).toMatch(/- Time for an answer: .* median, .*\n- Tokens: 40 read/);
    expect(report).toContain('## General rows, compared with the base model');
  });
});

describe('the rows that the trainer holds out', () => {
  const trained = (fields: object) =>
    Object.assign(project.cloud.jobs.find(({ job }) => job.id === BETTER)!.job.config!, fields);

  it('are those of its evaluation file', async () => {
    await project.writeEntry(entryOf({ options: "evalDataset: { type: 'file', path: 'rows.jsonl' }" }));
    trained({ evalDatasetSource: { type: 'upload', datasetId: 'd' } });
    const { evaluation } = await json('ship bot --job 2222');
    expect(evaluation.data).toMatchObject({ name: 'rows.jsonl', rows: 40 });
  });

  it('are the share of its data that was not trained on', async () => {
    const all = Array.from({ length: 40 }, (_, n) => ({
      prompt: `question ${n}`,
      completion: n % 2 ? 'yes' : 'no',
    }));
    await project.write('all.jsonl', all.map(row => JSON.stringify(row)).join('\n'));
    await project.writeEntry(
      entryOf().replace("{ type: 'rows', rows }", "{ type: 'file', path: 'all.jsonl' }"),
    );
    trained({ evalFraction: 0.5 });
    const { evaluation, passed } = await json('ship bot --job 2222');
    expect(evaluation.data.rows).toBeGreaterThan(8);
    expect(evaluation.data.rows).toBeLessThan(32);
    expect(passed).toBe(true);
  });

  it('are warned about if its data has changed since', async () => {
    const text = await readFile(project.path('rows.jsonl'), 'utf8');
    await project.writeEntry(
      entryOf().replace("{ type: 'rows', rows }", "{ type: 'file', path: 'rows.jsonl' }"),
    );
    trained({ evalFraction: 0.5, datasetSource: { type: 'upload', datasetId: 'then' } });
    const warnings = async () => (await svc('ship bot --job 2222 --dry-run --no-general')).stderr;
    keepUpload(text, 'then');
    expect(await warnings()).not.toContain('Warning');
    await project.write('rows.jsonl', `${text}\n{"input":"question 41","output":"yes"}`);
    expect(await warnings()).toContain('Warning: rows.jsonl has changed since job 22222222');
  });

  it('are warned about if the file was trained on, whoever names it', async () => {
    const text = await readFile(project.path('rows.jsonl'), 'utf8');
    keepUpload(text, 'then');
    const warnings = async () => (await ship('--job 2222 --dry-run --no-general')).stderr;
    trained({ datasetSource: { type: 'upload', datasetId: 'other' } });
    expect(await warnings()).not.toContain('Warning');
    trained({ datasetSource: { type: 'upload', datasetId: 'then' } });
    expect(await warnings()).toMatch(/Warning: Job 22222222\S+ was trained on rows\.jsonl/);
  });

  it.each([
    ['of another trainer', { name: 'other' }, 'is of the trainer triage'],
    ['of none', {}, 'holds out no rows'],
  ])('%s are asked for', async (_, entry, message) => {
    await project.writeEntry(entryOf(entry));
    const { exitCode, stderr } = await svc('ship bot --job 2222');
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).toContain('"--on ROWS"');
  });
});

it.each([
  ['', 'missing option "--job"'],
  ['--job 2222:final --step 3', 'names a checkpoint already'],
  ['--job 2222 --margin 0', 'option "--margin" must be a loss such as 2% or 0.02'],
  ['--job 2222 --general a --no-general', 'use either "--general" or "--no-general"'],
  ['--job 2222 --json --markdown', 'use either "--json" or "--markdown"'],
])('refuses svc ship bot %s', async (words, message) => {
  expect(await svc(`ship bot --on rows.jsonl ${words}`.trim())).toMatchObject(misuse(message));
});

it('has no canary of an endpoint that is new', async () => {
  const { exitCode, stderr } = await svc('ship fresh --on rows.jsonl --job 2222 --canary 10%');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('fresh is new');
});

describe('a trainer that learns from rewards', () => {
  const prompts = Array.from({ length: 40 }, (_, n) => ({
    messages: [{ role: 'user', content: `question ${n + 1}` }],
    right: n % 2 ? 'no' : 'yes',
  }));
  const reward = `(answer, { row }) => {
    console.log('the reward says hello');
    return { reward: answer === row.right ? 3 : -1, parts: { known: 1 } };
  }`;
  beforeEach(async () => {
    await project.write('prompts.jsonl', prompts.map(row => JSON.stringify(row)).join('\n'));
    await project.writeEntry(
      entryOf({
        options: `evalDataset: { type: 'file', path: 'prompts.jsonl' }, method: { type: 'grpo', reward: ${reward} },`,
      }),
    );
    for (const { job } of project.cloud.jobs)
      Object.assign(job.config!, { evalDatasetSource: { type: 'upload', datasetId: 'd' } });
  });

  it('ships what its reward finds better on the prompts that it holds out', async () => {
    const { exitCode, stdout, stderr } = await svc('ship bot --job 2222');
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    expect(stderr).toContain('the reward says hello');
    expect(stdout).toMatch(/Held-out rows +passed +Better: Reward \+2 \(95 % interval/);
    expect(stdout).toMatch(/General rows +passed/);
    expect(stdout).toMatch(/Row +Score +Parts +Compared +Answer/);
    expect(target()).toEqual(final(BETTER));
    const [held, general] = project.cloud.evaluations.map(({ evaluation }) => evaluation);
    expect(held).toMatchObject({ task: { kind: 'reward' }, gate: { passed: true } });
    expect(general!.task.kind).toBe('text');
  });

  it('refuses what its reward finds worse, and proves a margin in the unit of the reward', async () => {
    const { exitCode, stdout } = await svc('ship bot --job 3333 --no-general');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/Held-out rows +failed +Worse: Reward −2/);
    const proven = await svc('ship bot --job 2222 --no-general --margin 0.5 --dry-run');
    expect(proven.stdout).toMatch(/A loss is shown to be at most 0\.5\./);
  });

  it('is scored by it also by svc eval, with these rows or others', async () => {
    const { evaluation } = await json('eval 2222 --against base');
    expect(evaluation).toMatchObject({
      data: { name: 'prompts.jsonl', rows: 40 },
      scores: [{ name: 'reward', value: 3 }, { name: 'rewardSpread' }, { name: 'reward.known', value: 1 }],
      comparison: { scores: [{ score: 'reward', againstValue: 1, verdict: 'better' }, {}] },
    });
    const other = await svc('eval base --on prompts.jsonl');
    expect(other.stdout).toMatch(/Reward +1 +/);
    expect(other.stderr).toContain('the reward says hello');
    expect(await svc('eval base')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('"--on"') });
  });
});
