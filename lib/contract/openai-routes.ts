// A whole project for OpenAI's clients, at `/openai/v1` of the cloud, with the project's keys. It is not mounted as a
// table, because bodies are read as their published formats define it, and model IDs may contain slashes.
import * as z from 'zod/mini';
import { anthropicEvent, anthropicMessage, messagesRequest } from './anthropic-messages.js';
import { chatCompletion, chatCompletionChunk, chatCompletionRequest } from './chat.js';
import { completion, completionRequest } from './completions.js';
import { embeddingList, embeddingRequest } from './embeddings.js';
import { fineTuningRoutes } from './fine-tuning-routes.js';
import { fileRoutes } from './openai-files.js';
import { response, responseEvent, responsesRequest } from './responses.js';
import { defineRoutes, json } from './route.js';
import { detokenized, detokenizeRequest, tokenizeRequest, tokenizerInfo, tokens } from './tokenizer.js';

/** What follows a client's base URL. */
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

export const openAiRoutes = defineRoutes({
  listModels: {
    method: 'GET',
    path: '/openai/v1/models',
    summary: "Lists the base model and the project's adapters, the newest job first.",
    answer: json(modelList),
  },
  getModel: {
    method: 'GET',
    path: '/openai/v1/models/:model',
    summary: 'Returns a model.',
    answer: json(model),
  },
  deleteModel: {
    method: 'DELETE',
    path: '/openai/v1/models/:model',
    summary: 'Deletes the job of a final adapter that no endpoint uses, with all of its adapters.',
    answer: json(deletedModel),
  },
  completeChat: {
    method: 'POST',
    path: '/openai/v1/chat/completions',
    summary: "Creates a chat completion with one of the project's models.",
    body: chatCompletionRequest,
    answer: { kind: 'completion', schema: chatCompletion, chunk: chatCompletionChunk },
  },
  createResponse: {
    method: 'POST',
    path: '/openai/v1/responses',
    summary: "Creates a response with one of the project's models, and stores nothing.",
    body: responsesRequest,
    answer: { kind: 'completion', schema: response, chunk: responseEvent },
  },
  createCompletion: {
    method: 'POST',
    path: '/openai/v1/completions',
    summary: 'Continues texts, and says how likely their tokens are.',
    body: completionRequest,
    answer: { kind: 'completion', schema: completion, chunk: completion },
  },
  createEmbeddings: {
    method: 'POST',
    path: '/openai/v1/embeddings',
    summary: "The mean of a model's last hidden states for each text, with a length of 1.",
    body: embeddingRequest,
    answer: json(embeddingList),
  },
  describeTokenizer: {
    method: 'GET',
    path: '/openai/v1/tokenizer_info',
    summary: "Returns the base model's special tokens and its chat template.",
    answer: json(tokenizerInfo),
  },
  tokenize: {
    method: 'POST',
    path: '/openai/v1/tokenize',
    summary: 'Returns the tokens of a text.',
    body: tokenizeRequest,
    answer: json(tokens),
  },
  detokenize: {
    method: 'POST',
    path: '/openai/v1/detokenize',
    summary: 'Returns the text of tokens.',
    body: detokenizeRequest,
    answer: json(detokenized),
  },
  createMessage: {
    method: 'POST',
    path: '/openai/v1/messages',
    summary: "Creates a message with one of the project's models, in Anthropic's format.",
    body: messagesRequest,
    answer: { kind: 'completion', schema: anthropicMessage, chunk: anthropicEvent },
  },
  ...fileRoutes,
  ...fineTuningRoutes,
});
