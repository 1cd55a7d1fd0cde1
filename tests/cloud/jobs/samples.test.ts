// The samples of a job: answered at each checkpoint, once, in the durable log, whatever interrupts the attempt.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createAnswerSample } from '../../../lib/cloud/answers/own-chats.js';
import { createLocalBackend } from '../../../lib/cloud/backends/local.js';
import { createLocalRunner } from '../../../lib/cloud/host/local-parts.js';
import type { AnswerSample } from '../../../lib/cloud/seams/backend.js';
import type { Artifact } from '../../../lib/contract/index.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { until } from '../../support/until.js';
import { jobsPerTest } from './jobs-per-test.js';
import { openTestJobs } from './test-jobs.js';

const ask = (content: string) => ({ messages: [{ role: 'user' as const, content }] });
const samples = [ask('one'), ask('two')];

/** The folders that answered, in order. */
let asked: (string | null)[];
let reply: AnswerSample;
beforeEach(() => {
  asked = [];
});
const cloud = jobsPerTest({
  answerSample: async (input, adapter, signal) => {
    asked.push(adapter?.folder ?? null);
    return reply(input, adapter, signal);
  },
});

const answersIn = async (id: string) => (await cloud.story(id)).match(/\d+\/\d [^,]+/g)?.join(', ');

describe('the samples of a job', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  it('are answered or refused by the base model and by each adapter, before the end', async () => {
    reply = async ({ messages: [message] }) =>
      message!.content === 'one'
        ? { answer: 'one!', finishReason: 'length' }
        : { answer: null, error: 'Too long.' };
    const { id, run } = await cloud.begin({ samples });
    run.started();
    await until(() => answersIn(id)).toBe('0/0 one!, 0/1 null');
    const [, answered, refused] = await cloud.events(id);
    expect(answered).toMatchObject({ answer: 'one!', finishReason: 'length' });
    expect(refused).toMatchObject({ answer: null, error: 'Too long.' });
    await run.checkpoint(5);
    await cloud.finish(run);
    expect(await answersIn(id)).toBe('0/0 one!, 0/1 null, 5/0 one!, 5/1 null, 10/0 one!, 10/1 null');
    expect(await cloud.story(id)).toMatch(/, completed, end completed$/);
    expect(asked.slice(0, 2)).toEqual([null, null]);
    for (const folder of asked.slice(2)) expect(existsSync(folder!)).toBe(true);
  });

  it('are rendered as its rows are, and so are chats with its adapters', async () => {
    const rendered: unknown[] = [];
    reply = async ({ variables }) => {
      rendered.push(variables);
      return { answer: 'yes', finishReason: 'stop' };
    };
    const { id, run } = await cloud.begin({ samples: [ask('one')], enableThinking: false });
    run.started();
    await cloud.finish(run);
    const variables = { enable_thinking: false };
    expect(rendered).toEqual([variables, variables]);
    expect(await cloud.jobs.findAdapter('org-a', { kind: 'final', jobId: id })).toMatchObject({ variables });
  });

  /** Says nothing until it is given up. */
  const hold: AnswerSample = (_, __, signal) =>
    new Promise(resolve => signal.addEventListener('abort', () => resolve('later')));

  it('are continued by the next attempt, and none is asked twice', async () => {
    let isHeld = true;
    reply = async (input, adapter, signal) =>
      adapter !== null && isHeld ? hold(input, adapter, signal) : { answer: 'yes', finishReason: 'stop' };
    const { id, run } = await cloud.begin({ samples });
    run.started();
    await run.checkpoint(5);
    await until(() => asked.length).toBe(3);
    run.onTold = () => run.end('paused');
    await cloud.restart();
    isHeld = false;
    await cloud.jobs.start();
    const next = await cloud.runner.next();
    next.started({ resumedFromStep: 5 });
    await cloud.finish(next);
    expect(await answersIn(id)).toBe('0/0 yes, 0/1 yes, 5/0 yes, 5/1 yes, 10/0 yes, 10/1 yes');
  });

  it('stop with a cancelled job', async () => {
    reply = hold;
    const { id, run } = await cloud.begin({ samples });
    run.onTold = () => run.end('cancelled');
    run.started();
    await until(() => asked.length).toBe(1);
    await cloud.cancel(id);
    await cloud.until(id, 'cancelled');
    expect(await cloud.story(id)).toBe('started, end cancelled');
  });

  it('are what its adapters answer to a chat at temperature 0', async () => {
    const modelFolder = await makeModelFolder();
    onTestFinished(() => rm(modelFolder, { recursive: true, force: true }));
    const backend = createLocalBackend({ modelFolder, threads: 1, log: () => {} });
    onTestFinished(() => backend.close());
    const answerSample = createAnswerSample(backend, () => {});
    const test = await openTestJobs(createLocalRunner(), { modelFolder, answerSample });
    onTestFinished(() => test.close());
    await test.jobs.start();
    const rows = Array.from({ length: 4 }, (_, i) => ({ prompt: `say ${i}`, completion: `it is ${i}` }));
    const datasetId = await test.upload(rows.map(row => JSON.stringify(row)).join('\n'));
    const training = { maxSteps: 3, saveSteps: 2, learningRate: 1e-2 };
    const { id } = await test.create({
      datasetSource: { type: 'upload', datasetId },
      samples: [{ ...ask('say 1'), maxTokens: 8 }],
      ...training,
    });
    await test.until(id, 'completed');
    const answers = (await test.events(id)).flatMap(event =>
      event.type === 'sample.generated' ? [event] : [],
    );
    expect(answers.map(({ step }) => step)).toEqual([0, 2, 3]);
    const { artifacts } = await test.json<{ artifacts: Artifact[] }>('GET', `/v1/jobs/${id}/artifacts`);
    for (const { step, answer } of answers) {
      const saved = artifacts.find(artifact => artifact.step === step);
      if (saved)
        await backend.load({ ...saved, folder: join(test.folder, 'jobs', id, 'adapters', saved.name) });
      const task = { ...ask('say 1'), adapter: saved?.sha256 ?? null, temperature: 0, maxTokens: 8 };
      let text = '';
      for await (const piece of backend.ask('chat', task, new AbortController().signal)) text += piece.text;
      expect(answer).toBe(text);
    }
  });

  it.each([
    ['none', []],
    ['too many', Array.from({ length: 21 }, () => ask('x'))],
    ['an empty conversation', [{ messages: [] }]],
    ['an unknown field', [{ ...ask('x'), temperature: 1 }]],
    ['too long an answer', [{ ...ask('x'), maxTokens: 5000 }]],
  ])('are refused: %s', async (_, wrong) => {
    const config = { model: 'svc/tiny', datasetSource: { type: 'huggingface', name: 'x' }, samples: wrong };
    const refused = await cloud.refusal('POST', '/v1/jobs', { name: 'x', config });
    expect(refused).toMatchObject({ status: 400, param: expect.stringMatching(/^config\.samples/) });
  });
});
