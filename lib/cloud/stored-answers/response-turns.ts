// Turns of a conversation: what a new response continues, and how it is stored when it has ended.
import {
  ApiError,
  type ResponseItem,
  type ResponsesInputItem,
  type ResponsesRequest,
} from '../../contract/index.js';
import { newId } from '../answers/response-items.js';
import type { ResponseTurn } from '../answers/responses.js';
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

/** Throws for what cannot be continued. */
export async function openTurn(request: ResponsesRequest, storage: AnswerStorage): Promise<OpenTurn> {
  const { previousId, conversationId } = readPlace(request);
  if (request.background) requireStored(request, storage);
  const unlock =
    conversationId === null ? () => {} : requireShelf(storage, 'conversation').lock(conversationId);
  try {
    const before = await readBefore({ previousId, conversationId }, storage);
    const added = await resolveItems(toItems(request), storage, 'input');
    const items = [...before, ...added];
    if (items.length > MOST_ITEMS) throw tooLong();
    const shelf = 'shelf' in storage ? storage.shelf : null;
    const store = shelf !== null && request.store !== false;
    const about = { id: `resp_${newId()}`, items, store, previousId, conversationId };
    const keep: ResponseTurn['keep'] = shelf ? keepOn(shelf, about, added) : async document => document;
    return { ...about, addedIds: added.map(({ id }) => id), keep, end: unlock };
  } catch (error) {
    unlock();
    throw error;
  }
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
): Promise<ResponseItem[]> {
  if (previousId !== null) return readPrevious(requireShelf(storage, 'previous_response_id'), previousId);
  if (conversationId === null) return [];
  return (await findConversation(requireShelf(storage, 'conversation'), conversationId)).items;
}

function toItems({ input }: ResponsesRequest): ResponsesInputItem[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : input;
}

type About = Pick<ResponseTurn, 'store' | 'conversationId'> & { items: ResponseItem[] };

function keepOn(
  shelf: Shelf,
  { store, conversationId, items }: About,
  added: readonly ResponseItem[],
): ResponseTurn['keep'] {
  return async document => {
    const { output } = document;
    const said = [...added, ...output];
    const isAdded =
      conversationId !== null && (await shelf.attempt(() => addItems(shelf, conversationId, said)));
    const ended = { ...document, conversation: isAdded ? document.conversation : null };
    const stored = {
      document: { ...ended, output: [] },
      items: [...items, ...output],
      inputCount: items.length,
    };
    // A background response was stored when it was queued, and is again after its last event.
    if (document.background) return ended;
    const isStored =
      store &&
      (await shelf.attempt(() => shelf.add('response', stored, { itemIds: said.map(({ id }) => id) })));
    return { ...ended, store: isStored };
  };
}

async function readPrevious(shelf: Shelf, id: string): Promise<ResponseItem[]> {
  const found = await shelf.find('response', id);
  if (found) return found.items;
  throw new ApiError(
    'previous_response_not_found',
    `There is no stored response \`${id.slice(0, 100)}\` here. It may have expired, or it was created with \`store: false\`.`,
    { param: 'previous_response_id' },
  );
}

function tooLong(): ApiError {
  return new ApiError(
    'context_length_exceeded',
    `The conversation must have at most ${MOST_ITEMS.toLocaleString('en')} items.`,
    { param: 'input' },
  );
}
