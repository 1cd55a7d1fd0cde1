// Responses and what is stored of them: created, read, listed and deleted, at a project's address or at an endpoint.
import type { Clock } from '../../clock/index.js';
import {
  ApiError,
  itemsQuery,
  parseResponsesRequest,
  responseQuery,
  type ServedModelFacts,
  type storedResponseRoutes,
} from '../../contract/index.js';
import { type EventMessage, readJson } from '../../http/index.js';
import type { Answer } from '../answers/answer.js';
import { pageOf, readQuery } from '../answers/lists.js';
import { countTokens } from '../answers/operations.js';
import { readResponses } from '../answers/responses.js';
import type { Backend } from '../seams/backend.js';
import { type BackgroundResponses, sendEvents } from './background.js';
import { conversationOperations } from './conversations.js';
import { notStored, openTurn, readTurn } from './response-turns.js';
import { type AnswerStorage, requireShelf, type StoringOperation, shelfFor } from './stored-answers.js';

type ResponseRoute = 'createResponse' | 'countResponseTokens' | keyof typeof storedResponseRoutes;

interface ResponseContext {
  answer: Answer;
  backend: Backend;
  background: BackgroundResponses;
  /** How the base model is sampled by default. */
  sampling: ServedModelFacts['sampling'];
  clock: Clock;
}

export function responseOperations({
  answer,
  backend,
  background,
  sampling,
  clock,
}: ResponseContext): Readonly<Record<ResponseRoute, StoringOperation>> {
  const findRunning = (id: string) => background.find(id)?.content ?? null;

  return {
    async createResponse({ request, models, storage }) {
      const body = await readJson(request);
      const parsed = parseResponsesRequest(body);
      const served = await models.serve(parsed.model, body as object);
      const turn = await openTurn(parsed, storage, findRunning);
      try {
        const asked = readResponses(parsed, turn, sampling);
        if (parsed.background)
          return await background.start(asked, served, turn, requireShelf(storage, 'background'));
        return await answer(asked, served);
      } catch (error) {
        turn.end();
        throw error;
      }
    },
    async countResponseTokens({ request, models, storage }) {
      const parsed = parseResponsesRequest(await readJson(request));
      const turn = await readTurn(parsed, storage, findRunning);
      const input_tokens = await countTokens(backend, readResponses(parsed, turn, sampling), models, 'input');
      return { object: 'response.input_tokens', input_tokens };
    },
    async getResponse({ storage, request, id }) {
      const { stream, starting_after: after } = readQuery(request, responseQuery);
      const running = background.find(id);
      const { document, events = null } = await findResponse(storage, id);
      if (stream !== 'true') return running?.document ?? document;
      const all = running ? running.events : events;
      if (!all) throw notStreamed();
      const from = after === undefined ? 0 : after + 1;
      return sendEvents(running ? running.follow(from) : replay(all.slice(from)));
    },
    async deleteResponse({ storage, id }) {
      await findResponse(storage, id);
      await background.find(id)?.cancel();
      await shelfFor(storage, 'response_not_found').delete('response', id);
      return { id, object: 'response', deleted: true };
    },
    async cancelResponse({ storage, id }) {
      const running = background.find(id);
      const { document } = await findResponse(storage, id);
      if (!document.background) throw notInBackground();
      await running?.cancel();
      return running?.document ?? document;
    },
    async listInputItems({ storage, id, request }) {
      const query = readQuery(request, itemsQuery);
      return pageOf((await findResponse(storage, id)).input, query);
    },
    ...conversationOperations(clock),
  };
}

/** Throws `response_not_found`. */
async function findResponse(storage: AnswerStorage, id: string) {
  const found = await shelfFor(storage, 'response_not_found').find('response', id);
  if (!found) throw notStored('response_not_found', id, 'id');
  const { document, items, inputCount, events } = found;
  return {
    document: { ...document, output: items.slice(inputCount) },
    input: items.slice(0, inputCount),
    events,
  };
}

async function* replay(events: readonly EventMessage[]): AsyncGenerator<EventMessage> {
  yield* events;
}

function notStreamed(): ApiError {
  const message =
    'Only responses created with `background: true` and `stream: true` can be streamed again, and none whose events could not be stored. Read it without `stream`.';
  return new ApiError('invalid_value', message, { param: 'stream' });
}

function notInBackground(): ApiError {
  const message = 'Only responses created with `background: true` can be canceled.';
  return new ApiError('invalid_value', message, { param: 'id' });
}
