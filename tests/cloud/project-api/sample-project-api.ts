// A project's API on top of a sample cloud, called by OpenAI's own client.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import OpenAI from 'openai';
import { createAnswer } from '../../../lib/cloud/answers/answer.js';
import { createModelResolver } from '../../../lib/cloud/answers/models.js';
import { createLocalBackend } from '../../../lib/cloud/backends/local.js';
import type { CloudLogLine } from '../../../lib/cloud/deps.js';
import { createGuard } from '../../../lib/cloud/guard.js';
import { createProjectApi } from '../../../lib/cloud/project-api/create-project-api.js';
import { type Backend, guardBackend } from '../../../lib/cloud/seams/backend.js';
import { createBackgroundResponses } from '../../../lib/cloud/stored-answers/background.js';
import type { Key } from '../../../lib/contract/index.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { BASE_MODEL, localAddress, openSampleCloud, type SampleCloud } from '../deployments/sample-cloud.js';
import { HOST, toFetch } from '../to-fetch.js';

export const BASE_URL = `http://${HOST}/openai/v1`;

export function createSampleProjectApi(
  { db, findAdapter, clock, stored, fetch }: SampleCloud,
  given: Backend,
) {
  const backend = guardBackend(given, clock);
  const deleted: string[] = [];
  const log = (_: CloudLogLine) => {};
  const background = createBackgroundResponses({ backend, clock, log });
  const baseModel = { name: BASE_MODEL, folder: '' };
  const { fetch: api } = createProjectApi({
    db,
    models: createModelResolver({ baseModel, findAdapter, load: backend.load }),
    answer: createAnswer({ backend, clock, log }),
    backend,
    // Files and jobs are tested with a whole cloud.
    jobs: { deleteJob: async (_: unknown, id: string) => deleted.push(id) } as never,
    stored,
    background,
    sampling: {},
    guard: createGuard(localAddress),
    deps: { baseModel, log },
    clock,
  });

  const send = toFetch(api);

  async function issue(place = 'alpha/one'): Promise<Key & { plaintext: string }> {
    const [orgSlug, projectSlug] = place.split('/');
    const url = `http://${HOST}/v1/project-keys?orgSlug=${orgSlug}&projectSlug=${projectSlug}`;
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(new Request(url, { method: 'POST', headers, body: '{"label":"ci"}' }));
    return ((await response.json()) as { key: Key & { plaintext: string } }).key;
  }

  const clientWith = (apiKey: string) =>
    new OpenAI({ apiKey, baseURL: BASE_URL, fetch: send, maxRetries: 0 });

  return { api, send, issue, clientWith, deleted, background };
}

/** With the real engine and a tiny model, whose context has this many tokens if given, and some files of its own. */
export async function openEngineProject(contextLength?: number, files?: Record<string, unknown>) {
  const modelFolder = await makeModelFolder(files);
  if (contextLength !== undefined) {
    const config = join(modelFolder, 'config.json');
    const fields = JSON.parse(await readFile(config, 'utf8')) as object;
    await writeFile(config, JSON.stringify({ ...fields, max_position_embeddings: contextLength }));
  }
  const cloud = await openSampleCloud();
  const backend = createLocalBackend({ modelFolder, threads: 1, log: () => {} });
  const sample = createSampleProjectApi(cloud, backend);
  const apiKey = (await sample.issue()).plaintext;
  return {
    ...sample,
    apiKey,
    client: sample.clientWith(apiKey),
    async close() {
      await backend.close();
      await cloud.close();
      await rm(modelFolder, { recursive: true, force: true });
    },
  };
}

export type EngineProject = Awaited<ReturnType<typeof openEngineProject>>;

/** What a call of OpenAI's client was refused with. */
export async function refusal(call: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  try {
    await call;
  } catch (error) {
    if (error instanceof OpenAI.APIError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}
