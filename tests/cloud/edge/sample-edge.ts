// The edge on top of a sample cloud, and the clients that people call it with.
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { createAnswer } from '../../../lib/cloud/answers/answer.js';
import { createModelResolver } from '../../../lib/cloud/answers/models.js';
import type { CloudLogLine } from '../../../lib/cloud/deps.js';
import { createEdge } from '../../../lib/cloud/edge/create-edge.js';
import { type Backend, guardBackend } from '../../../lib/cloud/seams/backend.js';
import { createBackgroundResponses } from '../../../lib/cloud/stored-answers/background.js';
import { errorEnvelope } from '../../../lib/contract/index.js';
import { end, saying, scriptedBackend, text } from '../backends/scripted-backend.js';
import { BASE_MODEL, localAddress, openSampleCloud, type SampleCloud } from '../deployments/sample-cloud.js';
import { HOST, toFetch } from '../to-fetch.js';

export const COMPLETIONS = '/v1/chat/completions';

export const baseTarget = { kind: 'base_model', baseModel: BASE_MODEL };

export function createSampleEdge(
  { db, findAdapter, clock, kept, stored, counts }: SampleCloud,
  given: Backend,
  random?: () => number,
) {
  const backend = guardBackend(given, clock);
  const logged: CloudLogLine[] = [];
  const log = (line: CloudLogLine) => logged.push(line);
  const edge = createEdge({
    db,
    models: createModelResolver({ baseModel: { name: BASE_MODEL }, findAdapter, load: backend.load }),
    answer: createAnswer({ backend, clock, log }),
    backend,
    kept,
    stored,
    background: createBackgroundResponses({ backend, clock, log }),
    sampling: {},
    counts,
    deps: { address: localAddress, log, version: '1.2.3' },
    clock,
    ...(random && { random }),
  });

  /** Sends a request to the edge. */
  async function fetch(path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
    const given = { host: HOST, 'content-type': 'application/json', ...(headers as object) };
    const response = await edge(
      new Request(`http://${HOST}${path}`, { method: 'POST', headers: given, ...init }),
    );
    if (!response) throw new Error(`${path} is not for the edge.`);
    return response;
  }

  const chat = (slug: string, body: object = {}, headers: Record<string, string> = {}) =>
    fetch(`/d/${slug}${COMPLETIONS}`, {
      body: JSON.stringify({ messages: [{ role: 'user', content: 'hello' }], ...body }),
      headers,
    });

  /** Clients of an endpoint. */
  function clientsOf(slug: string, apiKey: string) {
    const at = { apiKey, fetch: toFetch(edge), maxRetries: 0 };
    return {
      openai: new OpenAI({ ...at, baseURL: `http://${HOST}/d/${slug}/v1` }),
      anthropic: new Anthropic({ ...at, baseURL: `http://${HOST}/d/${slug}` }),
    };
  }

  return { edge, fetch, chat, clientsOf, logged, counts };
}

/** A cloud with an edge, whose endpoints all say `Hello there.`. */
export async function openSampleEdge() {
  const cloud = await openSampleCloud();
  const backend = scriptedBackend(saying(text('Hello'), text(' there.'), end(5, 3)));
  return { cloud, backend, ...createSampleEdge(cloud, backend) };
}

export type SampleEdge = Awaited<ReturnType<typeof openSampleEdge>>;

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** What a request was refused with. */
export async function refusalOf(answer: Response | Promise<Response>) {
  const response = await answer;
  const { error } = errorEnvelope.parse(await response.json());
  return { status: response.status, allow: response.headers.get('allow'), ...error };
}
