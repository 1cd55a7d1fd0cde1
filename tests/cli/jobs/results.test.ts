// svc jobs compare, samples, answers and manifest: what came of jobs, against a cloud in memory.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../lib/contract/index.js';
import { sampleAnswers } from '../../support/sample-answers.js';
import { at, completed, ended, log, sample, started } from '../support/job-events.js';
import { failure, projectOfEach } from '../support/project.js';

const idOf = (start: string) => `${start}-0000-4000-8000-000000000001`;
const [A, B, C] = [idOf('aaaa1111'), idOf('bbbb2222'), idOf('cccc3333')];

const project = projectOfEach({ isLinked: true });
const { svc, json, addJob, print } = project;

describe('svc jobs compare', () => {
  function addRun(fields: Partial<Job>, losses: readonly number[]): void {
    const logs = losses.map((loss, i) => log({ step: 20 * (i + 1), loss, tokens: 50, timestamp: at(i) }));
    const times = { startedAt: at(0), completedAt: at(9) };
    addJob({ ...times, artifactCount: 1, ...fields }, [started(), ...logs, completed(), ended()]);
  }
  beforeEach(() => {
    addRun({ id: A, name: 'triage', config: { loraR: 8, seed: 1 } }, [2, 0.5]);
    addRun({ id: B, name: 'triage-wide', config: { loraR: 16, seed: 1 } }, [2, 0.25]);
  });

  it('shows the results side by side, the best one marked, and the settings that differ', async () => {
    const { exitCode, stdout } = await svc('jobs compare aa bb');
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`Run         triage     triage-wide
ID          aaaa1111   bbbb2222
Status      completed  completed
Final loss  0.5        0.25 *
Best loss   0.5 @ 40   0.25 @ 40 *
Steps       40         40
Tokens      100        100
Duration    9.0 s      9.0 s
Artifacts   1          1

loraR       8          16

* best
`);
  });

  it('prints no name that steers the terminal', async () => {
    addRun({ id: C, name: 'evil\u202e\u001b[2Jname' }, [1]);
    expect(await print(`jobs compare ${A} ${C}`)).toMatch(/^Run +triage +evilname\n/);
    const stdout = await print(`jobs compare ${A} ${C} --json`);
    expect(stdout).not.toContain('\u202e');
    expect(JSON.parse(stdout).runs[1].job.name).toBe('evil\u202e\u001b[2Jname');
  });

  it('says that no setting differs', async () => {
    addRun({ id: C, config: { loraR: 8, seed: 1 } }, [2, 0.5]);
    const stdout = await print(`jobs compare ${A} ${C}`);
    expect(stdout).toContain('\nAll settings are the same.\n');
    expect(stdout).not.toContain('*');
  });

  it('prints the jobs, their figures and what differs as JSON', async () => {
    const { runs, differences } = await json(`jobs compare ${B} aa`);
    expect(runs).toMatchObject([
      { job: { name: 'triage-wide' }, summary: { final: { step: 40, value: 0.25 }, best: { value: 0.25 } } },
      { job: { name: 'triage' } },
    ]);
    expect(differences).toEqual([{ setting: 'loraR', values: ['16', '8'] }]);
  });

  it.each([
    ['a job that is gone', 'aa dddd', 1, 'There is no job "dddd" in this project.'],
    ['one that is named twice', `${A} aa`, 2, 'job aaaa1111 is named twice.'],
  ])('refuses %s', async (_, ids, exitCode, message) => {
    expect(await svc(`jobs compare ${ids}`)).toMatchObject(failure(exitCode, message));
  });
});

describe('svc jobs samples', () => {
  const ask = (content: string) => ({ messages: [{ role: 'user', content }] });
  const samples = [ask('Where is it?'), ask('Who are you?')];
  const answers = [
    sample({ step: 0, answer: 'I do not\nknow.' }),
    sample({ step: 0, sample: 1, answer: '' }),
    sample({ step: 40, answer: 'It is late.', finishReason: 'length' }),
    sample({ step: 40, sample: 1, answer: null, error: 'Too long.' }),
  ];
  const base = `Base model
  Where is it?
    I do not know.
  Who are you?
    Empty answer
`;

  it('shows what each step answered, or one step, also as JSON', async () => {
    addJob({ id: A, totalSteps: 40, config: { samples } }, [started(), ...answers, completed(), ended()]);
    expect(await svc('jobs samples aa')).toEqual({
      exitCode: 0,
      stdout: `${base}
Final, step 40
  Where is it?
    It is late.  Cut at its token limit
  Who are you?
    Too long.
`,
      stderr: '',
    });
    expect(await print(`jobs samples ${A} --step 0`)).toBe(base);
    expect(await json(`jobs samples ${A} --step 40`)).toEqual({ samples: answers.slice(2) });
    const other = 'svc: no samples at step 7. There are samples at step 0, 40.\n';
    expect(await svc(`jobs samples ${A} --step 7`)).toMatchObject({ exitCode: 1, stderr: other });
  });

  it('says why there are none', async () => {
    addJob({ id: A, config: { samples } });
    expect(await print('jobs samples aa')).toContain('No samples yet.');
    addJob({ id: B, config: { samples: [] } });
    const advice = 'This job has no samples. Add `samples: [{ messages: […] }]` to your trainer.\n';
    expect(await print('jobs samples bb')).toBe(advice);
    const step = await svc('jobs samples bb --step 15');
    expect(step).toMatchObject({ exitCode: 1, stderr: `svc: ${advice}` });
  });
});

describe('svc jobs answers', () => {
  const learning = { method: { type: 'grpo' } } as unknown as Job['config'];

  it('shows the best and the worst answers of the last step, or of another one, also as JSON', async () => {
    addJob({ id: A, config: learning });
    const { exitCode, stdout } = await svc('jobs answers aa');
    expect(exitCode).toBe(0);
    expect(stdout.split('\n').slice(0, 12)).toEqual([
      'Step 20 (3 of 3 kept)  4 prompts · All answers to 1 of them got the same reward',
      '',
      'Row 4  4 answers, mean reward 0.5',
      '  Count the words: plum, pear, fig.',
      '  Best 1  right 1, brief 0.5',
      '    {"count":3,"step":20}',
      '  Worst 0.2  right 0, brief 1',
      '    I think',
      '    there are some.',
      '',
      'Row 1  4 answers, mean reward 0.5',
      '  Weather in Paris?',
    ]);
    expect(stdout).toContain('    get_weather({"city":"Paris"})\n');
    expect(stdout).toContain('    The beginning of 9,120 characters\n  1 without a reward: It took longer');
    expect(stdout).toMatch(/ {2}All 4 0\.5\n {4}Empty answer\n/);
    expect(await print('jobs answers aa --step 10')).toContain('Step 10 (2 of 3 kept)');
    expect(await json('jobs answers aa --step 10')).toEqual(sampleAnswers({ step: 10 }));
  });

  it('says which steps are kept, and why there are none', async () => {
    addJob({ id: A, config: learning });
    const kept = 'no answers are kept of step 12. There are answers of step 1, 10, 20.';
    expect(await svc('jobs answers aa --step 12')).toMatchObject(failure(1, kept));
    addJob({ id: B, config: { loraR: 8 } });
    const none = 'This job does not learn from rewards, so it has no answers.';
    expect(await print('jobs answers bb')).toBe(`${none}\n`);
    expect(await svc('jobs answers bb --step 1')).toMatchObject(failure(1, none));
  });

  it('takes the place of its rows', async () => {
    addJob({ id: A, config: learning });
    expect(await print('jobs rows aa')).toBe(
      'Runs that learn from rewards have no row losses. "svc jobs answers aaaa1111" shows the answers of its steps with their rewards.\n',
    );
  });
});

describe('svc jobs rows', () => {
  it('of a step are all of them, or those whose loss rises', async () => {
    addJob({ id: A });
    const rowsOf = async (line: string) =>
      (await json(`jobs rows aa ${line}`)).rows.map(({ row }: { row: number }) => row);
    expect(await rowsOf('--step 4')).toEqual([0, 4, 8]);
    expect(await rowsOf('--step 4 --rising')).toEqual([4]);
  });

  it('says truly why a step has none', async () => {
    addJob({ id: A });
    const flat = 'svc: No row of this step has a loss that rises.\n';
    expect(await svc('jobs rows aa --step 1 --rising')).toEqual({ exitCode: 1, stdout: '', stderr: flat });
    const none = 'svc: This step has no recorded rows.\n';
    expect(await svc('jobs rows aa --step 99')).toEqual({ exitCode: 1, stdout: '', stderr: none });
  });
});

describe('svc jobs manifest', () => {
  it('says what the results of a job depend on', async () => {
    addJob({ config: { loraR: 8 } });
    expect(await print('jobs manifest 1a2b')).toMatch(
      /^Job +1a2b3c4d-.*\nModel +svc\/tiny\n[\s\S]*\nSeed +42\n[\s\S]*\nMachine +linux x64, A processor, 2 cores\n/,
    );
  });

  it('says that an adapter was imported, which has no seed and no data', async () => {
    addJob({ config: { imported: true } });
    const stdout = await print('jobs manifest 1a2b');
    expect(stdout).toMatch(/\nOrigin +imported\n$/);
    expect(stdout).not.toMatch(/Seed|Data|Machine/);
  });
});
