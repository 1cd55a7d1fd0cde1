// The samples of a job: answered at each checkpoint, once, in the durable log, whatever interrupts the attempt.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLocalBackend } from '../../../lib/cloud/inference/local-backend.js';
import { createLocalRunner } from '../../../lib/cloud/jobs/index.js';
import { createAnswerSample } from '../../../lib/cloud/openai/answer-sample.js';
import type { AnswerSample } from '../../../lib/cloud/seams/answer-sample.js';
import type { Artifact, JobEvent } from '../../../lib/contract/index.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { until } from '../../support/until.js';
import { createScriptedRunner, type ScriptedRunner } from './scripted-runner.js';
import { openTestJobs, type TestJobs } from './test-jobs.js';

const ask = (content: string) => ({ messages: [{ role: 'user' as const, content }] });
const samples = [ask('one'), ask('two')];

let runner: ScriptedRunner;
let cloud: TestJobs;
/** The folders that answered, in order. */
let asked: (string | null)[];
let reply: AnswerSample;
beforeEach(async () => {
  runner = createScriptedRunner();
  asked = [];
  reply = async ({ messages }) => ({ answer: `${messages[0]!.content}!`, finishReason: 'stop' });
  const answerSample: AnswerSample = async (input, adapter, signal) => {
    asked.push(adapter?.folder ?? null);
    return reply(input, adapter, signal);
  };
  cloud = await openTestJobs(runner, { answerSample });
  await cloud.jobs.start();
});
afterEach(() => cloud.close());

const told = (events: readonly JobEvent[]) =>
  events.map(event =>
    event.type === 'sample.generated' ? `${event.step}/${event.sample} ${event.answer}` : event.type,
  );

describe('the samples of a job', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  it('are answered by the base model, by each checkpoint and by the final adapter, before the end', async () => {
    const { id } = await cloud.create({ samples });
    const run = await runner.next();
    run.started();
    await until(async () => told(await cloud.events(id))).toContain('0/1 two!');
    await run.checkpoint(5);
    await run.complete();
    await cloud.until(id, 'completed');
    const seen = told(await cloud.events(id));
    expect(seen.filter(each => each.includes('/'))).toEqual([
      '0/0 one!',
      '0/1 two!',
      '5/0 one!',
      '5/1 two!',
      '10/0 one!',
      '10/1 two!',
    ]);
    expect(seen.slice(-2)).toEqual(['training.completed', 'end']);
    expect(asked.slice(0, 2)).toEqual([null, null]);
    for (const folder of asked.slice(2)) expect(existsSync(folder!)).toBe(true);
  });

  it('are asked again while the engine is busy; a refusal is recorded', async () => {
    let busy = 1;
    reply = async ({ messages: [message] }) => {
      if (message!.content === 'two') return { answer: null, error: 'Too long.' };
      return busy-- > 0 ? 'later' : { answer: 'at last', finishReason: 'length' };
    };
    const { id } = await cloud.create({ samples });
    (await runner.next()).started();
    await until(async () => (await cloud.events(id)).slice(1)).toMatchObject([
      { type: 'sample.generated', step: 0, sample: 0, answer: 'at last', finishReason: 'length' },
      { type: 'sample.generated', step: 0, sample: 1, answer: null, error: 'Too long.' },
    ]);
  });

  it('are continued by the next attempt, and none is asked twice', async () => {
    let hold = true;
    reply = (_, adapter, signal) =>
      adapter !== null && hold
        ? new Promise(resolve => signal.addEventListener('abort', () => resolve('later')))
        : Promise.resolve({ answer: 'yes', finishReason: 'stop' });
    const { id } = await cloud.create({ samples });
    const run = await runner.next();
    run.started();
    await run.checkpoint(5);
    await until(() => asked.length).toBe(3);
    const again = createScriptedRunner();
    run.onTold = () => run.end('paused');
    cloud = await cloud.reopen(again);
    hold = false;
    await cloud.jobs.start();
    const next = await again.next();
    next.started({ resumedFromStep: 5 });
    await next.complete();
    await cloud.until(id, 'completed');
    expect(told(await cloud.events(id)).filter(each => each.includes('/'))).toEqual([
      '0/0 yes',
      '0/1 yes',
      '5/0 yes',
      '5/1 yes',
      '10/0 yes',
      '10/1 yes',
    ]);
  });

  it('stop with a cancelled job', async () => {
    reply = (_, __, signal) =>
      new Promise(resolve => signal.addEventListener('abort', () => resolve('later')));
    const { id } = await cloud.create({ samples });
    const run = await runner.next();
    run.onTold = () => run.end('cancelled');
    run.started();
    await until(() => asked.length).toBe(1);
    await cloud.json('POST', `/v1/jobs/${id}/cancel`);
    await cloud.until(id, 'cancelled');
    expect(told(await cloud.events(id))).toEqual(['training.started', 'end']);
  });

  it('are what its adapters answer to a chat at temperature 0', async () => {
    const modelFolder = await makeModelFolder();
    const backend = createLocalBackend({ modelFolder, threads: 1, log: () => {} });
    const test = await openTestJobs(createLocalRunner(), {
      modelFolder,
      answerSample: createAnswerSample(backend, () => {}),
    });
    try {
      await test.jobs.start();
      const rows = Array.from({ length: 4 }, (_, i) => ({ prompt: `say ${i}`, completion: `it is ${i}` }));
      const datasetId = await test.upload(rows.map(row => JSON.stringify(row)).join('\n'));
      const { id } = await test.create({
        datasetSource: { type: 'upload', datasetId },
        samples: [{ ...ask('say 1'), maxTokens: 8 }],
        maxSteps: 3,
        saveSteps: 2,
        learningRate: 1e-2,
      });
      await test.until(id, 'completed');
      const answers = (await test.events(id)).filter(({ type }) => type === 'sample.generated');
      expect(answers.map(event => 'step' in event && event.step)).toEqual([0, 2, 3]);
      const { artifacts } = await test.json<{ artifacts: Artifact[] }>('GET', `/v1/jobs/${id}/artifacts`);
      for (const answer of answers) {
        const step = 'step' in answer ? answer.step : 0;
        const saved = artifacts.find(artifact => artifact.step === step);
        if (saved)
          await backend.load({ ...saved, folder: join(test.folder, 'jobs', id, 'adapters', saved.name) });
        let text = '';
        const task = {
          messages: ask('say 1').messages,
          adapter: saved?.sha256 ?? null,
          temperature: 0,
          maxTokens: 8,
        };
        for await (const piece of backend.ask('chat', task, new AbortController().signal)) text += piece.text;
        expect(answer).toMatchObject({ answer: text });
      }
    } finally {
      await test.close();
      await backend.close();
      await rm(modelFolder, { recursive: true, force: true });
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
    const response = await cloud.call('POST', '/v1/jobs', { name: 'x', config });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { param: expect.stringMatching(/^config\.samples/) },
    });
  });
});
