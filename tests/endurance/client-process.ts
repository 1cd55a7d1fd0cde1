// A client in a process of its own, to be killed at any moment: it carries out what it is handed until it has the answer,
// with one idempotency key for all of its attempts, and follows jobs from the event that it is told to go on from.
import { setTimeout as sleep } from 'node:timers/promises';
import { createCloudClient } from '../../lib/client/index.js';
import type { FromClient, Intent, Reach, ToClient } from './client-messages.js';

const RETRY_MS = 200;

let reach: Reach;

process.on('message', (message: ToClient) => {
  if (message.type === 'reach') reach = message.reach;
  else if (message.type === 'follow') void follow(message.jobId, message.after);
  else void carryOut(message.intent);
});
process.on('disconnect', () => process.exit());

function tell(message: FromClient): void {
  process.send!(message);
}

function clientOf(idempotencyKey?: string) {
  const withKey: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
    return fetch(input, { ...init, headers });
  };
  return createCloudClient({ baseUrl: reach.url, token: reach.token, scope: reach.scope, fetch: withKey });
}

async function carryOut(intent: Intent): Promise<void> {
  for (;;) {
    try {
      return tell({ type: 'done', intent, answer: await ask(intent) });
    } catch (error) {
      tell({ type: 'refused', intent, reason: (error as Error).message });
      await sleep(RETRY_MS);
    }
  }
}

async function ask(intent: Intent) {
  const cloud = clientOf(intent.name);
  switch (intent.kind) {
    case 'job':
      return { id: (await cloud.createJob({ name: intent.name, config: intent.config })).job.id };
    case 'endpoint': {
      const target = { kind: 'base_model', baseModel: intent.baseModel } as const;
      return { id: (await cloud.createDeployment({ slug: intent.name, target })).deployment.id };
    }
    case 'key': {
      const { key } = await cloud.issueDeploymentKey(intent.deploymentId, intent.name);
      return { id: key.id, plaintext: key.plaintext };
    }
  }
}

async function follow(jobId: string, after: number): Promise<void> {
  for (let last = after; ; ) {
    try {
      const events = clientOf().streamJobEvents(jobId, {
        after: last,
        firstRetryMs: RETRY_MS,
        longestRetryMs: RETRY_MS,
      });
      for await (const { id, data } of events) {
        last = Number(id);
        tell({ type: 'event', jobId, seq: last, event: JSON.parse(data) });
      }
      return;
    } catch {
      await sleep(RETRY_MS);
    }
  }
}
