// The routes of a fake Studio over its world.

import { randomUUID } from 'node:crypto';
import { ApiError, type Deployment, type Key, type StudioRoutes } from '../../../lib/contract/index.js';
import { errorData, eventStream, type Handlers } from '../../../lib/http/index.js';
import { toChunk } from '../answer-chunk.js';
import { sampleAnswers } from '../sample-answers.js';
import {
  deleteKeptEvaluation,
  findKeptEvaluation,
  listKeptEvaluations,
  listKeptRows,
} from '../sample-evaluation.js';
import { changeKept, deleteKept, findKept, listKept } from '../sample-kept.js';
import { overviewOf, servedModelOf } from '../sample-overview.js';
import { samplePreview } from '../sample-preview.js';
import { sampleRowLosses } from '../sample-rows.js';
import { sampleDeployment, sampleKey } from '../samples.js';
import type { World } from './world.js';

export function createFakeHandlers(world: World): Handlers<StudioRoutes> {
  const text = (bytes: ReadableStream<Uint8Array>) =>
    new Response(bytes, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
  return {
    getIdentity: () => world.identity,
    getManifest: () => world.manifest,
    getTrainStatus: () => world.run.status,
    startTraining: () => {
      world.run.begin();
      return text(world.run.read());
    },
    streamTrainOutput: () => text(world.run.read()),
    listJobs: () => ({ jobs: world.jobs }),
    getJob: ({ params: { id } }) => ({ job: found(world.jobs, id, 'job_not_found') }),
    updateJob: ({ params: { id }, body }) => ({
      job: Object.assign(found(world.jobs, id, 'job_not_found'), body),
    }),
    listJobSettings: ({ body: { ids } }) => ({
      jobs: ids.map(id => {
        const { config, customSettings } = found(world.jobs, id, 'job_not_found');
        return { id, config: config ?? {}, customSettings };
      }),
    }),
    previewData: ({ body }) => samplePreview(body),
    readDataRows: () => new Response('{"text":"a"}\n{"text":"b"}\n'),
    listJobRows: ({ params: { id }, query }) => {
      found(world.jobs, id, 'job_not_found');
      return sampleRowLosses(query);
    },
    listJobAnswers({ params: { id }, query }) {
      found(world.jobs, id, 'job_not_found');
      return sampleAnswers(query);
    },
    readJobLog(input) {
      const { id } = found(world.jobs, input.params.id, 'job_not_found');
      return world.eventsOf(id).respondSoFar(input);
    },
    streamJobEvents(input) {
      const { id } = found(world.jobs, input.params.id, 'job_not_found');
      return world.eventsOf(id).respond(input);
    },
    chat: ({ body }) =>
      eventStream(async ({ send }) => {
        try {
          for await (const said of world.reply(body)) await send({ data: JSON.stringify(toChunk(said)) });
        } catch (error) {
          return send({ data: errorData(error) });
        }
        await send({ data: '[DONE]' });
      }),
    getOverview: () => overviewOf(world),
    getBaseModel: () => ({ baseModel: servedModelOf(world) }),
    listDeployments: () => ({ deployments: world.deployments }),
    createDeployment({ body }) {
      const deployment = sampleDeployment({
        id: randomUUID(),
        url: `https://${body.slug}.${world.identity.deploymentDomain}`,
        slug: body.slug,
        target: body.target,
        authMode: body.authMode ?? 'fixed_api_key',
      });
      world.deployments = [...world.deployments, deployment];
      return { deployment };
    },
    getDeployment: ({ params: { id } }) => ({ deployment: deploymentOf(world, id) }),
    updateDeployment({ params: { id }, body: { promote, ...patch } }) {
      const promoted = promote && { target: promote, canary: null };
      const deployment = Object.assign(deploymentOf(world, id), patch, promoted);
      return { deployment };
    },
    listDeploymentKeys: ({ params: { id } }) => ({ keys: world.keys[id] ?? [] }),
    issueDeploymentKey({ params: { id }, body: { label } }) {
      const plaintext = `svc_live_${randomUUID().replaceAll('-', '')}abcd`;
      const key = sampleKey({ id: randomUUID(), label, prefix: plaintext.slice(0, 12) });
      world.keys[id] = [...(world.keys[id] ?? []), key];
      return { key: { ...key, plaintext } };
    },
    revokeDeploymentKey({ params: { id, keyId } }) {
      const key: Key = found(world.keys[id] ?? [], keyId, 'key_not_found');
      key.enabled = false;
      return { key };
    },
    listEvaluations: ({ query }) => listKeptEvaluations(world.evaluations, query),
    getEvaluation: ({ params }) => ({
      evaluation: findKeptEvaluation(world.evaluations, params.id).evaluation,
    }),
    listEvaluationRows: ({ params, query }) =>
      listKeptRows(findKeptEvaluation(world.evaluations, params.id), query),
    deleteEvaluation: ({ params }) => deleteKeptEvaluation(world.evaluations, params.id),
    listKeptRequests: ({ query }) => listKept(world.kept, query),
    getKeptRequest: ({ params }) => findKept(world.kept, params.requestId),
    updateKeptRequest: ({ params, body }) => changeKept(world.kept, params.requestId, body),
    deleteKeptRequest: ({ params }) => deleteKept(world.kept, params.requestId),
    getCluster: () => ({ cluster: world.cluster }),
    getOpenApi: () => ({}),
  };
}

function deploymentOf(world: World, id: string): Deployment {
  return found(world.deployments, id, 'deployment_not_found');
}

function found<T extends { id: string }>(
  things: readonly T[],
  id: string,
  code: 'job_not_found' | 'deployment_not_found' | 'key_not_found',
): T {
  const thing = things.find(candidate => candidate.id === id);
  if (!thing) throw new ApiError(code, `There is nothing with the ID ${id} in this project.`);
  return thing;
}
