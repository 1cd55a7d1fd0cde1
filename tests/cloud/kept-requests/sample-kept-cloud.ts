// An endpoint that keeps its requests, called as from the network.
import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
import { type Deployment, type KeptRequests, OPERATION_NAMES } from '../../../lib/contract/index.js';
import type { ScriptedBackend } from '../backends/scripted-backend.js';
import { openSampleCloud, type SampleCloud } from '../deployments/sample-cloud.js';
import { createSampleEdge, baseTarget as target } from '../edge/sample-edge.js';

export interface KeptCloud extends SampleCloud {
  sample: ReturnType<typeof createSampleEdge>;
  deployment: Deployment;
  key: string;
  openai: OpenAI;
  anthropic: Anthropic;
  /** What is kept, over the API. */
  list(query?: string, place?: string): Promise<KeptRequests>;
}

export async function openKeptCloud(
  backend: ScriptedBackend,
  options: Parameters<typeof openSampleCloud>[2] = {},
  body: object = { keepRequests: true },
): Promise<KeptCloud> {
  const cloud = await openSampleCloud(undefined, undefined, options);
  const sample = createSampleEdge(cloud, backend);
  const deployment = await cloud.publish({ slug: 'demo', target, operations: OPERATION_NAMES, ...body });
  const { plaintext: key } = await cloud.issue(deployment);
  return {
    ...cloud,
    sample,
    deployment,
    key,
    ...sample.clientsOf('demo', key),
    async list(query = '', place = 'alpha/one') {
      const response = await cloud.call('GET', `/${deployment.id}/requests?${query}`, undefined, place);
      return (await response.json()) as KeptRequests;
    },
  };
}
