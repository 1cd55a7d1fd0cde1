// A project's API on top of a sample cloud, called by OpenAI's own client.
import OpenAI from 'openai';
import type { CloudLogLine } from '../../../lib/cloud/deps.js';
import { createGuard } from '../../../lib/cloud/guard.js';
import { createServedModels } from '../../../lib/cloud/inference/served-model.js';
import { createAnswerChat } from '../../../lib/cloud/openai/answer-chat.js';
import { createProjectApi } from '../../../lib/cloud/project-api/create-project-api.js';
import type { InferenceBackend } from '../../../lib/cloud/seams/backend.js';
import type { Key } from '../../../lib/contract/index.js';
import { BASE_MODEL, localAddress, type SampleCloud } from '../deployments/sample-cloud.js';

export const BASE_URL = 'http://localhost:4100/openai/v1';

export function createSampleProjectApi(
  { db, findAdapter, clock, fetch }: SampleCloud,
  backend: InferenceBackend,
) {
  const logged: CloudLogLine[] = [];
  const deleted: string[] = [];
  const log = (line: CloudLogLine) => logged.push(line);
  const now = () => clock.now;
  const baseModel = { name: BASE_MODEL, folder: '' };
  const api = createProjectApi({
    db,
    models: createServedModels({ baseModel, findAdapter, load: backend.load }),
    answer: createAnswerChat({ backend, now, log }),
    backend,
    // Files and jobs are tested with a whole cloud.
    jobs: { deleteJob: async (_: unknown, id: string) => deleted.push(id) } as never,
    guard: createGuard(localAddress),
    deps: { baseModel, now, log },
  });

  /** Sends a request as it comes from the network. */
  async function send(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    const headers = new Headers(request.headers);
    headers.set('host', 'localhost:4100');
    const response = await api(new Request(request, { headers }));
    if (!response) throw new Error(`${request.url} is not for the project's API.`);
    return response;
  }

  async function issue(place = 'alpha/one'): Promise<Key & { plaintext: string }> {
    const [orgSlug, projectSlug] = place.split('/');
    const url = `http://localhost:4100/v1/project-keys?orgSlug=${orgSlug}&projectSlug=${projectSlug}`;
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(new Request(url, { method: 'POST', headers, body: '{"label":"ci"}' }));
    return ((await response.json()) as { key: Key & { plaintext: string } }).key;
  }

  const clientWith = (apiKey: string) =>
    new OpenAI({ apiKey, baseURL: BASE_URL, fetch: send, maxRetries: 0 });

  return { api, send, issue, clientWith, logged, deleted };
}
