import { expect, it } from 'vitest';
import { embed } from '../../../lib/cloud/answers/embeddings.js';
import { ALL_ABILITIES, type Backend, type Question } from '../../../lib/cloud/seams/backend.js';
import { EngineError } from '../../../lib/engine/index.js';
import { until } from '../../support/until.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

const inputs = Array.from({ length: 12 }, (_, i) => `text ${i}`);

/** Embeds texts, except for one that it refuses so many times. */
function busyFor(refused: string, times: number) {
  const asked: unknown[] = [];
  const backend: Backend = {
    state: 'ready',
    abilities: ALL_ABILITIES,
    load: async () => {},
    unload: async () => {},
    async *ask(_kind, task) {
      const { prompt } = task as Question<'embed'>;
      asked.push(prompt);
      if (prompt === refused && times-- > 0) throw new EngineError('engine_busy', 'busy');
      yield { values: new Float32Array([1]), promptTokens: 2 } as never;
    },
    close: async () => {},
  };
  return { asked, backend };
}

function start({ backend }: { backend: Backend }, signal = new AbortController().signal) {
  const clock = createVirtualClock();
  const call = { name: 'm', fingerprint: 'fp', adapter: null, caller: 'c', signal };
  const embedding = embed({ backend, clock, log: () => {} }, { model: 'm', input: inputs }, call as never);
  return { clock, embedding };
}

it('are all computed once, also where there is no place for some that start later', async () => {
  const busy = busyFor('text 9', 2);
  const { clock, embedding } = start(busy);
  await until(() => clock.waiting).toBe(1);
  await clock.pass(2000);
  const { data, usage } = await embedding;
  expect(data.map(({ index }) => index)).toEqual(inputs.map((_, index) => index));
  expect(usage).toEqual({ prompt_tokens: 24, total_tokens: 24 });
  expect(busy.asked.toSorted()).toEqual([...inputs, 'text 9', 'text 9'].toSorted());
});

it('are refused while nothing of them is computed', async () => {
  const { embedding } = start(busyFor('text 7', 1));
  await expect(embedding).rejects.toMatchObject({ code: 'engine_busy' });
});

it('that wait for a place end with their request', async () => {
  const aborter = new AbortController();
  const { clock, embedding } = start(busyFor('text 9', Number.POSITIVE_INFINITY), aborter.signal);
  await until(() => clock.waiting).toBe(1);
  const reason = new Error('gone');
  aborter.abort(reason);
  await expect(embedding).rejects.toBe(reason);
  expect(clock.waiting).toBe(0);
});
