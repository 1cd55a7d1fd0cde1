// Jobs that PyTorch trains on a real Ray cluster, beside the same jobs by our own engine there, which trains as at home. Not
// before every change: `jobs.test.ts` has a few such steps, and the tests of the Python package 14 and the adapter.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { JobConfigInput } from '../../lib/contract/index.js';
import type { Home } from '../endurance/home.js';
import type { NumberedEvent } from '../endurance/judge.js';
import { askProgram } from '../support/program.js';
import { furthest, idOf, type Jobs, lossesOf, openJobs } from './support/jobs.js';
import { openProjectApi } from './support/project-api.js';
import { openHomeOnRay, trainExample } from './support/two-homes.js';

const LONG = { maxSteps: 100, saveSteps: 100, evalSteps: 50, heldOutRows: 6 };
/** Of PyTorch's losses from ours. */
const TOLERANCE = 0.02;
/** Of 100 questions. */
const LEAST_EQUAL_ANSWERS = 95;

let home: Home;
let jobs: Jobs;
let [ours, theirs]: NumberedEvent[][] = [];

beforeAll(async () => {
  home = await openHomeOnRay(inject('cluster'));
});

afterAll(() => home?.end());

describe.sequential('a job on a cluster, by PyTorch', { tags: ['long'] }, () => {
  it('has the losses of our own engine at every step', async () => {
    theirs = await trainExample(home, 'support-triage', { ...LONG, engine: 'torch' });
    jobs = await openJobs(home);
    const config = await jobs.readConfig(idOf(theirs));
    ours = await jobs.readLog(await jobs.create({ ...config, engine: 'node' }));
    expect(theirs.at(-1)!.event).toMatchObject({ type: 'end', status: 'completed' });
    const expected = lossesOf(ours);
    expect(expected).toHaveLength(LONG.maxSteps);
    expect(furthest(lossesOf(theirs), expected)).toBeLessThan(TOLERANCE);
  });

  it('makes an adapter that gives the answers of ours', async () => {
    const [mine, other] = [idOf(ours!), idOf(theirs!)];
    // By PyTorch, and not by ours.
    expect(await jobs.download(other, 'final')).not.toEqual(await jobs.download(mine, 'final'));
    const questions = await readQuestions();
    const { answer } = await openProjectApi(home);
    const [answers, others] = [await answer(mine, questions), await answer(other, questions)];
    expect(questions).toHaveLength(100);
    const equal = answers.filter((text, i) => text === others[i]);
    expect(equal.length).toBeGreaterThanOrEqual(LEAST_EQUAL_ANSWERS);
  });

  it('is verified within a tolerance', async () => {
    const verify = ['verify', idOf(theirs!), '--steps', '3'];
    const expected = { verified: true, exact: false, compared: 3 };
    expect(await askProgram<object>(verify, home.place)).toMatchObject(expected);
  });

  it('has the same losses with two workers as with one that takes the rows of both', async () => {
    const config = await jobs.readConfig(idOf(theirs!));
    // Workers drop out inputs of their own.
    const [one, two] = [1, 2].map(workers => ({
      ...config,
      ...{ maxSteps: 6, saveSteps: 6, evalSteps: 3, loraDropout: 0, resources: { workers } },
    }));
    const expected = await losses(one!);
    expect(expected).toHaveLength(6);
    expect(furthest(await losses(two!), expected)).toBeLessThan(1e-4);
  });
});

async function losses(config: JobConfigInput): Promise<number[]> {
  return lossesOf(await jobs.readLog(await jobs.create(config)));
}

/** The example's rows that no job trains on. */
async function readQuestions(): Promise<object[][]> {
  const file = new URL('../../examples/support-triage/data/held-out.jsonl', import.meta.url);
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  return lines.map(line => (JSON.parse(line) as { messages: object[] }).messages.slice(0, -1));
}
