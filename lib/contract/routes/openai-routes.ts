// A whole project for OpenAI's clients, at `/openai/v1` of the cloud, with project keys, and the part of it that deployments
// offer at their own addresses. Neither is mounted as a table: bodies are read as their published formats define, model IDs
// may contain slashes, and a deployment decides which routes it offers and checks in a different order.

import * as z from 'zod/mini';
import type { RouteAddress } from '../addresses.js';
import {
  anthropicEvent,
  anthropicMessage,
  anthropicModel,
  anthropicModelList,
  countTokensRequest,
  messagesRequest,
  tokenCount,
} from '../formats/anthropic-messages.js';
import { batchRoutes } from '../formats/batches.js';
import { chatCompletion, chatCompletionChunk, chatCompletionRequest } from '../formats/chat.js';
import {
  completion,
  completionRequest,
  detokenized,
  detokenizeRequest,
  embeddingList,
  embeddingRequest,
  tokenizeRequest,
  tokenizerInfo,
  tokens,
} from '../formats/completions.js';
import {
  checkpointPermission,
  fineTuningCheckpoint,
  fineTuningEvent,
  fineTuningJob,
  fineTuningJobsQuery,
  fineTuningPageQuery,
  fineTuningRequest,
} from '../formats/fine-tuning.js';
import { graderRoutes } from '../formats/grader-runs.js';
import { page } from '../formats/lists.js';
import { fileRoutes } from '../formats/openai-files.js';
import { response, responseEvent, responsesRequest, responseTokenCount } from '../formats/responses.js';
import { storedChatRoutes, storedResponseRoutes } from '../formats/stored-answers.js';
import { uploadRoutes } from '../formats/uploads.js';
import { defineRoutes, json, type Route, type RouteTable } from '../route.js';
import { taskDescription } from '../task.js';
import { DEFAULT_OPERATION, OPERATIONS, type Operation } from '../vocabulary.js';

/** The path after a client's base URL. */
export const OPENAI_PATH = '/openai/v1';

const model = z.object({
  id: z.string(),
  object: z.literal('model'),
  /** Unix seconds. */
  created: z.int(),
  owned_by: z.string(),
});

export type Model = z.output<typeof model>;

const modelList = z.object({ object: z.literal('list'), data: z.array(model) });

const deletedModel = z.object({ id: z.string(), object: z.literal('model'), deleted: z.literal(true) });

const fineTuningRoutes = defineRoutes({
  createFineTuningJob: {
    method: 'POST',
    path: '/openai/v1/fine_tuning/jobs',
    idempotencyKey: true,
    summary: 'Queues a training job with uploaded files.',
    body: fineTuningRequest,
    response: json(fineTuningJob),
  },
  listFineTuningJobs: {
    method: 'GET',
    path: '/openai/v1/fine_tuning/jobs',
    summary: 'Lists all jobs of the project, the newest first.',
    query: fineTuningJobsQuery,
    response: json(page(fineTuningJob)),
  },
  getFineTuningJob: {
    method: 'GET',
    path: '/openai/v1/fine_tuning/jobs/:id',
    summary: 'Returns a job.',
    response: json(fineTuningJob),
  },
  cancelFineTuningJob: {
    method: 'POST',
    path: '/openai/v1/fine_tuning/jobs/:id/cancel',
    summary: 'Cancels a queued or running job. Has no effect on a finished job.',
    response: json(fineTuningJob),
  },
  pauseFineTuningJob: {
    method: 'POST',
    path: '/openai/v1/fine_tuning/jobs/:id/pause',
    summary: 'Pauses a queued or running job after its current step. It is reported as queued.',
    response: json(fineTuningJob),
  },
  resumeFineTuningJob: {
    method: 'POST',
    path: '/openai/v1/fine_tuning/jobs/:id/resume',
    summary: 'Lets a paused job continue from where it stopped.',
    response: json(fineTuningJob),
  },
  listFineTuningEvents: {
    method: 'GET',
    path: '/openai/v1/fine_tuning/jobs/:id/events',
    summary: "Lists a job's events, the newest first.",
    query: fineTuningPageQuery,
    response: json(page(fineTuningEvent)),
  },
  listFineTuningCheckpoints: {
    method: 'GET',
    path: '/openai/v1/fine_tuning/jobs/:id/checkpoints',
    summary: "Lists a job's saved checkpoints, the newest first.",
    query: fineTuningPageQuery,
    response: json(page(fineTuningCheckpoint)),
  },
  listCheckpointPermissions: {
    method: 'GET',
    path: '/openai/v1/fine_tuning/checkpoints/:model/permissions',
    summary: 'Lists the other projects that may use a model: none.',
    response: json(page(checkpointPermission)),
  },
  createCheckpointPermissions: {
    method: 'POST',
    path: '/openai/v1/fine_tuning/checkpoints/:model/permissions',
    summary: 'Is refused: a model is open to its own project alone.',
    response: json(page(checkpointPermission)),
  },
  deleteCheckpointPermission: {
    method: 'DELETE',
    path: '/openai/v1/fine_tuning/checkpoints/:model/permissions/:id',
    summary: 'Is refused: there are no permissions.',
    response: json(page(checkpointPermission)),
  },
});

export const openAiRoutes = defineRoutes({
  listModels: {
    method: 'GET',
    path: '/openai/v1/models',
    summary: "Lists the base model and the project's adapters, the newest job first.",
    response: json(z.union([modelList, anthropicModelList])),
  },
  getModel: {
    method: 'GET',
    path: '/openai/v1/models/:model',
    summary: 'Returns a model.',
    response: json(z.union([model, anthropicModel])),
  },
  deleteModel: {
    method: 'DELETE',
    path: '/openai/v1/models/:model',
    summary: 'Deletes the job of a final adapter that no endpoint uses or follows, with all of its adapters.',
    response: json(deletedModel),
  },
  completeChat: {
    method: 'POST',
    path: '/openai/v1/chat/completions',
    summary: "Creates a chat completion with one of the project's models.",
    body: chatCompletionRequest,
    response: { kind: 'completion', schema: chatCompletion, chunk: chatCompletionChunk },
  },
  createResponse: {
    method: 'POST',
    path: '/openai/v1/responses',
    summary: "Creates a response with one of the project's models, and stores it unless `store` is false.",
    body: responsesRequest,
    response: { kind: 'completion', schema: response, chunk: responseEvent },
  },
  countResponseTokens: {
    method: 'POST',
    path: '/openai/v1/responses/input_tokens',
    summary: 'Counts the tokens of the prompt that a response would be created from.',
    body: responsesRequest,
    response: json(responseTokenCount),
  },
  createCompletion: {
    method: 'POST',
    path: '/openai/v1/completions',
    summary: 'Continues texts, and says how likely their tokens are.',
    body: completionRequest,
    response: { kind: 'completion', schema: completion, chunk: completion },
  },
  createEmbeddings: {
    method: 'POST',
    path: '/openai/v1/embeddings',
    summary: "The mean of a model's last hidden states for each text, with a length of 1.",
    body: embeddingRequest,
    response: json(embeddingList),
  },
  describeTokenizer: {
    method: 'GET',
    path: '/openai/v1/tokenizer_info',
    summary: "Returns the base model's special tokens and its chat template.",
    response: json(tokenizerInfo),
  },
  tokenize: {
    method: 'POST',
    path: '/openai/v1/tokenize',
    summary: 'Returns the tokens of a text.',
    body: tokenizeRequest,
    response: json(tokens),
  },
  detokenize: {
    method: 'POST',
    path: '/openai/v1/detokenize',
    summary: 'Returns the text of tokens.',
    body: detokenizeRequest,
    response: json(detokenized),
  },
  createMessage: {
    method: 'POST',
    path: '/openai/v1/messages',
    summary: "Creates a message with one of the project's models, in Anthropic's format.",
    body: messagesRequest,
    response: { kind: 'completion', schema: anthropicMessage, chunk: anthropicEvent },
  },
  countMessageTokens: {
    method: 'POST',
    path: '/openai/v1/messages/count_tokens',
    summary: "Counts the tokens of the prompt that a message would be created from, in Anthropic's format.",
    body: countTokensRequest,
    response: json(tokenCount),
  },
  ...storedResponseRoutes,
  ...storedChatRoutes,
  ...fileRoutes,
  ...uploadRoutes,
  ...batchRoutes,
  ...fineTuningRoutes,
  ...graderRoutes,
});

type UnionOf<T> = T extends unknown ? keyof T : never;

/** A route that deployments may offer, named as in `openAiRoutes`. */
export type OfferedRoute = UnionOf<(typeof OPERATIONS)[Operation]>;

/** The version prefix in `openAiRoutes`, so that `/openai/v1/models` is `/v1/models` at a deployment. */
const PREFIX = /^\/openai(?=\/)/;

/** These operations' routes at a deployment's own address. */
export function routesOf(operations: readonly Operation[]): Partial<Record<OfferedRoute, RouteAddress>> {
  const names = operations.flatMap(name => Object.keys(OPERATIONS[name]) as OfferedRoute[]);
  return Object.fromEntries(names.map(name => [name, toAddress(openAiRoutes[name])]));
}

function toAddress({ method, path }: RouteAddress): RouteAddress {
  return { method, path: path.replace(PREFIX, '') as RouteAddress['path'] };
}

/** The operation's name in the OpenAPI document. The first keeps its name from when it was the only one. */
const toName = (route: string) =>
  route === 'completeChat' ? 'createChatCompletion' : `${route}AtDeployment`;

/** Where an endpoint says its task, after its URL. */
export const TASK_PATH = '/v1/task';

const ownRoutes = defineRoutes({
  getTask: {
    method: 'GET',
    path: TASK_PATH,
    summary:
      'Returns the task that the model at this address was trained for, with the JSON Schemas of inputs and answers.',
    response: json(taskDescription),
  },
});

/** All of them, for the OpenAPI document. */
export const edgeRoutes: RouteTable = Object.fromEntries([
  ...Object.entries<Route>(ownRoutes),
  ...Object.entries(OPERATIONS).flatMap(([operation, routes]) =>
    Object.entries(routes).map(([name, does]) => {
      const route = openAiRoutes[name as OfferedRoute];
      const summary =
        operation === DEFAULT_OPERATION ? does : does.replace(/\.$/, `, if it offers \`${operation}\`.`);
      return [toName(name), { ...route, ...toAddress(route), summary }] as const;
    }),
  ),
]);
