// A whole cloud with a project, a key of it, and OpenAI's own client that calls it. Trainers follow a test's script.
import OpenAI from 'openai';
import type { CloudClient } from '../../../lib/client/index.js';
import type { CloudDeps } from '../../../lib/cloud/deps.js';
import { createStoppedClock, type StoppedClock } from '../../support/stopped-clock.js';
import { type MemoryCloud, openMemoryCloud } from '../host/memory-cloud.js';
import { createScriptedRunner, type ScriptedRunner } from '../jobs/scripted-runner.js';
import { toFetch } from '../to-fetch.js';
import { BASE_URL } from './sample-project-api.js';

/** As the memory cloud has it. */
export const MODEL = 'test/model';

export interface ProjectCloud extends MemoryCloud {
  runner: ScriptedRunner;
  /** Of the project, by its API. */
  openai: OpenAI;
  /** Of the project, as svc itself calls it. */
  svc: CloudClient;
  apiKey: string;
  orgSlug: string;
  clock: StoppedClock;
  /** Of another project in the same organization. */
  openOther(): Promise<Pick<ProjectCloud, 'openai' | 'svc'>>;
  /** Sends a request, with the project's key if it has no other. */
  send(path: string, init?: RequestInit): Promise<Response>;
}

export async function openProjectCloud(deps: Partial<CloudDeps> = {}): Promise<ProjectCloud> {
  const runner = createScriptedRunner();
  const clock = createStoppedClock();
  const memory = await openMemoryCloud({ runner, clock, ...deps });
  await memory.cloud.start();
  const { token, personalOrg } = await memory.signUp();

  const deliver = toFetch(memory.cloud.fetch);

  async function openProject(slug: string) {
    const svc = memory.client(token, { orgSlug: personalOrg.slug, projectSlug: slug });
    await svc.createProject(personalOrg.slug, { name: slug, slug });
    const { key } = await svc.issueProjectKey('test');
    const apiKey = key.plaintext;
    return { svc, apiKey, openai: new OpenAI({ apiKey, baseURL: BASE_URL, fetch: deliver, maxRetries: 0 }) };
  }

  const own = await openProject('one');
  return {
    ...memory,
    ...own,
    runner,
    clock,
    orgSlug: personalOrg.slug,
    openOther: () => openProject('two'),
    send(path, init = {}) {
      const headers = new Headers(init.headers);
      if (!headers.has('authorization')) headers.set('authorization', `Bearer ${own.apiKey}`);
      return deliver(`${BASE_URL}${path}`, { ...init, headers });
    },
  };
}

/** A file of chats to train on. */
export function rowsFile(name = 'train.jsonl', rows = 3): File {
  const lines = Array.from({ length: rows }, (_, i) => {
    const ask = { role: 'user', content: `hello ${i}` };
    return JSON.stringify({ messages: [ask, { role: 'assistant', content: 'world' }] });
  });
  return new File([`${lines.join('\n')}\n`], name);
}
