// What the tests of a program that uses svc have in common.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../lib/clock/index.js';
import { openSession } from '../../lib/sdk/index.js';
import { type FakeCloud, startFakeCloud } from '../support/fake-cloud.js';

/** A cloud of the test that runs. */
export async function openFakeCloud(handlers?: Parameters<typeof startFakeCloud>[0]): Promise<FakeCloud> {
  const cloud = await startFakeCloud(handlers);
  onTestFinished(() => cloud.close());
  return cloud;
}

/** In a folder with a home of its own. */
export const sessionIn = (folder: string, cloud: FakeCloud, clock?: Clock) =>
  openSession({
    folder,
    env: { SVC_HOME: join(folder, 'home'), SVC_CLOUD_URL: cloud.url },
    ...(clock && { clock }),
  });

/** A promise, and what resolves it. */
export function openPromise(): { promise: Promise<void>; resolve(): void } {
  let resolve = () => {};
  const promise = new Promise<void>(done => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

export const toCompletion = (
  content: string | { content: string | null; tool_calls?: readonly object[] },
  common: object = { id: 'chatcmpl-1', created: 1, model: 'm' },
) => ({
  ...common,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', ...(typeof content === 'string' ? { content } : content) },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});
