// Turns of a conversation: what a new response continues, and how it is stored when it has ended.
import {
  ApiError,
  type ResponseItem,
  type ResponsesInputItem,
  type ResponsesRequest,
} from '../../contract/index.js';
import { withOwnIds } from '../answers/response-items.js';
import type { ResponseDocument, ResponseTurn } from '../answers/responses.js';
import { newId } from '../openai-values.js';
import type { StoredResponse } from './answers-db.js';
import { addItems, findConversation } from './conversations.js';
import { resolveItems } from './resolve-items.js';
import { type AnswerStorage, requireShelf, type Shelf } from './stored-answers.js';

/** No context holds more items than this. */
const MOST_ITEMS = 10_000;

export interface OpenTurn extends ResponseTurn {
  items: readonly ResponseItem[];
  /** The items that the request brought. */
  addedIds: readonly string[];
}

/** What will be stored of a background response that is not stored yet, also just after it has ended. */
type FindRunning = (id: string) => StoredResponse | null;

/** Locks its conversation until it ends. Throws for what cannot be continued. */
export async function openTurn(...given: Parameters<typeof readTurn>): Promise<OpenTurn> {
  const [request, storage] = given;
  const { conversationId } = readPlace(request);
  const unlock =
    conversationId === null ? () => {} : requireShelf(storage, 'conversation').lock(conversationId);
  try {
    return { ...(await readTurn(...given)), end: unlock };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** The same without the lock, for a turn that is only counted. */
export async function readTurn(
  request: ResponsesRequest,
  storage: AnswerStorage,
  findRunning: FindRunning,
): Promise<OpenTurn> {
  const place = readPlace(request);
  if (request.background) requireStored(request, storage);
  const before = await readBefore(place, storage, findRunning);
  const added = withOwnIds(before, await resolveItems(toItems(request), storage, 'input'));
  const items = [...before, ...added];
  if (items.length === 0) throw nothingToAnswer();
  if (items.length > MOST_ITEMS) throw tooLong();
  const shelf = 'shelf' in storage ? storage.shelf : null;
  const store = shelf !== null && request.store !== false;
  const about = { id: newId('resp_'), items, store, ...place };
  const keep: ResponseTurn['keep'] = shelf ? keepOn(shelf, about, added) : async document => document;
  return { ...about, addedIds: added.map(({ id }) => id), keep, end: () => {} };
}

/** Nobody could read a background response that is not stored. */
function requireStored({ store }: ResponsesRequest, storage: AnswerStorage): void {
  requireShelf(storage, 'background');
  if (store === false)
    throw new ApiError('invalid_value', '`background: true` cannot be combined with `store: false`.', {
      param: 'background',
    });
}

/** What the response continues, if anything. */
interface Place {
  previousId: string | null;
  conversationId: string | null;
}

function readPlace({ previous_response_id, conversation }: ResponsesRequest): Place {
  const previousId = previous_response_id ?? null;
  const conversationId = (typeof conversation === 'string' ? conversation : conversation?.id) ?? null;
  if (previousId === null || conversationId === null) return { previousId, conversationId };
  throw new ApiError(
    'invalid_value',
    '`previous_response_id` cannot be combined with `conversation`; leave one of them out.',
    { param: 'previous_response_id' },
  );
}

async function readBefore(
  { previousId, conversationId }: Place,
  storage: AnswerStorage,
  findRunning: FindRunning,
): Promise<ResponseItem[]> {
  if (previousId !== null)
    return readPrevious(requireShelf(storage, 'previous_response_id'), previousId, findRunning);
  if (conversationId === null) return [];
  return (await findConversation(requireShelf(storage, 'conversation'), conversationId)).items;
}

function toItems({ input = [] }: ResponsesRequest): ResponsesInputItem[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : input;
}

type About = Pick<ResponseTurn, 'store' | 'conversationId'> & { items: ResponseItem[] };

function keepOn(
  shelf: Shelf,
  { store, conversationId, items }: About,
  added: readonly ResponseItem[],
): ResponseTurn['keep'] {
  return async document => {
    const said = [...added, ...document.output];
    const isAdded =
      conversationId !== null && (await shelf.attempt(() => addItems(shelf, conversationId, said)));
    const ended = { ...document, conversation: isAdded ? document.conversation : null };
    // A background response was stored when it was queued, and is again after its last event.
    if (document.background) return ended;
    const itemIds = said.map(({ id }) => id);
    const isStored =
      store && (await shelf.attempt(() => shelf.add('response', toStored(items, ended), { itemIds })));
    return { ...ended, store: isStored };
  };
}

/** The form in which a response is stored: its output follows the items that it answers. */
export function toStored(items: readonly ResponseItem[], document: ResponseDocument): StoredResponse {
  return {
    document: { ...document, output: [] },
    items: [...items, ...document.output],
    inputCount: items.length,
  };
}

async function readPrevious(shelf: Shelf, id: string, findRunning: FindRunning): Promise<ResponseItem[]> {
  const running = findRunning(id);
  const stored = await shelf.find('response', id);
  if (!stored) throw notStored('previous_response_not_found', id, 'previous_response_id');
  const { document, items } = running ?? stored;
  if (!CONTINUABLE.has(document.status)) throw unanswered(id, document.status);
  return items;
}

const CONTINUABLE = new Set(['completed', 'incomplete']);

function unanswered(id: string, status: string): ApiError {
  const message =
    status === 'queued' || status === 'in_progress'
      ? `Response \`${id}\` has not ended yet (its status is \`${status}\`). Continue it when it is completed.`
      : `Response \`${id}\` has no answer to continue (its status is \`${status}\`).`;
  return new ApiError('invalid_value', message, { param: 'previous_response_id' });
}

export function notStored(
  code: 'response_not_found' | 'previous_response_not_found',
  id: string,
  param: string,
): ApiError {
  return new ApiError(
    code,
    `There is no stored response \`${id.slice(0, 100)}\` here. It may have expired, or it was created with \`store: false\`.`,
    { param },
  );
}

function nothingToAnswer(): ApiError {
  const message = '`input` is required, because there are no earlier items to answer.';
  return new ApiError('invalid_value', message, { param: 'input' });
}

function tooLong(): ApiError {
  return new ApiError(
    'context_length_exceeded',
    `The conversation must have at most ${MOST_ITEMS.toLocaleString('en')} items.`,
    { param: 'input' },
  );
}
