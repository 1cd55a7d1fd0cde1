// A cloud in this process whose chats a Ray cluster answers, or this machine, with a client of a project.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BASE_MODEL_NAME, baseModelFolder } from '../../../lib/base-model/index.js';
import { type CloudClient, createCloudClient } from '../../../lib/client/index.js';
import { readCloudFile } from '../../../lib/cloud/host/maintain-folder.js';
import { openBaseModel, type RunCloudOptions, runCloud } from '../../../lib/cloud/index.js';
import { findFreePort } from '../../support/free-port.js';
import { nameOf, QUESTION } from './named-adapters.js';

export interface ServingCloud {
  url: string;
  client: CloudClient;
  /** The job of an imported adapter. */
  add(archive: Uint8Array<ArrayBuffer>, index: number): Promise<string>;
  /** What the adapter answers to its question. */
  ask(jobId: string, signal?: AbortSignal): Promise<string>;
  /** Resolves with the cloud's log. */
  close(): Promise<string>;
}

export async function startServingCloud(options: Pick<RunCloudOptions, 'ray'> = {}): Promise<ServingCloud> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-ray-serving-'));
  const served = await runCloud({
    folder,
    version: '0.0.0',
    baseModel: openBaseModel(baseModelFolder(), BASE_MODEL_NAME),
    baseWeights: 'f32',
    firstPort: await findFreePort(),
    ...options,
  });
  const { url } = served;
  const { secret } = readCloudFile(folder)!;
  const { token, personalOrg } = await createCloudClient({ baseUrl: url }).signUpAnonymously(secret);
  const scope = { orgSlug: personalOrg.slug, projectSlug: 'serving' };
  const client = createCloudClient({ baseUrl: url, token, scope });
  await client.createProject(scope.orgSlug, { slug: scope.projectSlug, name: 'serving' });
  return {
    url,
    client,
    add: async (archive, index) => (await client.importAdapter({ name: nameOf(index) }, archive)).job.id,
    async ask(jobId, signal) {
      const { choices } = await client.chat(
        {
          adapter: { kind: 'final', jobId },
          messages: [{ role: 'user', content: QUESTION }],
          temperature: 0,
          maxTokens: 12,
          stream: false,
        },
        { signal },
      );
      return choices[0]!.message.content ?? '';
    },
    async close() {
      served.stop();
      await served.ended;
      const log = await readFile(served.logFile, 'utf8');
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      return log;
    },
  };
}
