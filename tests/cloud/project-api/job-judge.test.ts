// The judge of a job's graders gives way to callers, so it may have to wait long for a place.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createModelResolver } from '../../../lib/cloud/answers/models.js';
import { createJobJudge } from '../../../lib/cloud/project-api/models.js';
import { EngineError, type EngineErrorCode } from '../../../lib/engine/index.js';
import { createHastyClock } from '../../support/hasty-clock.js';
import { end, scriptedBackend, text } from '../backends/scripted-backend.js';
import { BASE_MODEL, openSampleCloud, type SampleCloud } from '../deployments/sample-cloud.js';

let cloud: SampleCloud;
beforeEach(async () => {
  cloud = await openSampleCloud();
});
afterEach(() => cloud.close());

const question = { model: BASE_MODEL, messages: [], schema: {}, sampling: {} };

/** Asks a model that fails this often at first. The run may end at one of the tries. */
function askFailing(code: EngineErrorCode, failures: number, endsAt?: number) {
  const run = new AbortController();
  const { signal } = run;
  let tries = 0;
  const backend = scriptedBackend(async function* failAtFirst() {
    if (++tries === endsAt) run.abort(new Error('over'));
    if (tries <= failures) throw new EngineError(code, 'No.');
    yield text('1');
    yield end(1, 1);
  });
  const { db, findAdapter } = cloud;
  const baseModel = { name: BASE_MODEL, folder: '' };
  const models = createModelResolver({ baseModel, findAdapter, load: backend.load });
  const deps = { backend, db, clock: createHastyClock(), log: () => {} };
  const judge = createJobJudge({ ...deps, deps: { baseModel }, models: () => models });
  return { tries: () => tries, answer: judge('project-a1', signal)(question, signal) };
}

it('waits for a place for as long as it takes', async () => {
  const { tries, answer } = askFailing('engine_busy', 100);
  expect(await answer).toMatchObject({ text: '1', model: BASE_MODEL });
  expect(tries()).toBe(101);
});

it('stops waiting when its run ends', async () => {
  const { tries, answer } = askFailing('engine_busy', 100, 50);
  await expect(answer).rejects.toThrow('over');
  expect(tries()).toBe(50);
});

it('gives up a question that may be what stops the engine', async () => {
  const { tries, answer } = askFailing('engine_unavailable', 100);
  await expect(answer).rejects.toMatchObject({ code: 'engine_unavailable' });
  expect(tries()).toBe(20);
});
