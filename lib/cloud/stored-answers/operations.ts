// Responses and what is stored of them: created, read, listed and deleted, at a project's address or at an endpoint.
import type { Clock } from '../../clock/index.js';
import {
  ApiError,
  itemsQuery,
  parseResponsesRequest,
  type storedResponseRoutes,
} from '../../contract/index.js';
import { readJson } from '../../http/index.js';
import type { Answer } from '../answers/answer.js';
import { pageOf, readQuery } from '../answers/lists.js';
import { countTokens } from '../answers/operations.js';
import { readResponses } from '../answers/responses.js';
import type { InferenceBackend } from '../seams/backend.js';
import { conversationOperations } from './conversations.js';
import { openTurn } from './response-turns.js';
import { type AnswerStorage, type StoringOperation, shelfFor } from './stored-answers.js';

type ResponseRoute = 'createResponse' | 'countResponseTokens' | keyof typeof storedResponseRoutes;

interface ResponseContext {
  answer: Answer;
  backend: InferenceBackend;
  clock: Clock;
}

export function responseOperations({
  answer,
  backend,
  clock,
}: ResponseContext): Readonly<Record<ResponseRoute, StoringOperation>> {
  return {
    async createResponse({ request, models, storage }) {
      const parsed = parseResponsesRequest(await readJson(request));
      const served = await models.serve(parsed.model);
      const turn = await openTurn(parsed, storage);
      try {
        return await answer(readResponses(parsed, turn), served);
      } catch (error) {
        turn.end();
        throw error;
      }
    },
    async countResponseTokens({ request, models, storage }) {
      const parsed = parseResponsesRequest(await readJson(request));
      const turn = await openTurn(parsed, storage);
      turn.end();
      const input_tokens = await countTokens(backend, readResponses(parsed, turn), models, 'input');
      return { object: 'response.input_tokens', input_tokens };
    },
    async getResponse({ storage, id }) {
      return (await findResponse(storage, id)).document;
    },
    async deleteResponse({ storage, id }) {
      if (!(await shelfFor(storage, 'response_not_found').delete('response', id))) throw responseNotFound(id);
      return { id, object: 'response', deleted: true };
    },
    async cancelResponse({ storage, id }) {
      await findResponse(storage, id);
      throw new ApiError('invalid_value', 'Only responses created with `background: true` can be canceled.', {
        param: 'id',
      });
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
  if (!found) throw responseNotFound(id);
  const { document, items, inputCount } = found;
  return { document: { ...document, output: items.slice(inputCount) }, input: items.slice(0, inputCount) };
}

function responseNotFound(id: string): ApiError {
  return new ApiError(
    'response_not_found',
    `There is no stored response \`${id.slice(0, 100)}\` here. It may have expired, or it was created with \`store: false\`.`,
    { param: 'id' },
  );
}
