// Conversations: items that responses continue and add their turns to.
import type { Clock } from '../../clock/index.js';
import {
  ApiError,
  type Conversation,
  itemsQuery,
  parseConversationFields,
  parseConversationItems,
  parseMetadataChange,
  type ResponseItem,
  type storedResponseRoutes,
} from '../../contract/index.js';
import { readJson, readOptionalJson } from '../../http/index.js';
import { createPlaces } from '../answers/cursors.js';
import { pageOf, readQuery } from '../answers/lists.js';
import { withOwnIds } from '../answers/response-items.js';
import { newId, toSeconds } from '../openai-values.js';
import type { Contents, ItemChange } from './answers-db.js';
import { resolveItems } from './resolve-items.js';
import { type Shelf, type StoringCall, type StoringOperation, shelfFor } from './stored-answers.js';

type ConversationRoute = Extract<keyof typeof storedResponseRoutes, `${string}Conversation${string}`>;

export function conversationOperations(clock: Clock): Readonly<Record<ConversationRoute, StoringOperation>> {
  /** What was before items that were removed. */
  const removed = createPlaces<string | null>();
  const toKey = (conversationId: string, itemId: string) => `${conversationId} ${itemId}`;

  return {
    async createConversation(call) {
      const shelf = shelfOf(call);
      // The client sends no body where there is nothing to say.
      const body = await readOptionalJson(call.request);
      const metadata = parseConversationFields(body);
      const items = withOwnIds([], await resolveItems(parseConversationItems(body), call.storage, 'items'));
      const created_at = toSeconds(clock.now());
      const document = { id: newId('conv_'), object: 'conversation' as const, created_at, metadata };
      await shelf.add('conversation', { document, items }, { itemIds: items.map(({ id }) => id) });
      return document;
    },
    async getConversation(call) {
      return (await findConversation(shelfOf(call), call.id)).document;
    },
    async updateConversation(call) {
      const metadata = parseMetadataChange(await readJson(call.request));
      return change(shelfOf(call), call.id, ({ document, items }) => ({
        document: { ...document, metadata },
        items,
      }));
    },
    async deleteConversation(call) {
      if (!(await shelfOf(call).delete('conversation', call.id))) throw conversationNotFound(call.id);
      return { id: call.id, object: 'conversation.deleted', deleted: true };
    },
    async listConversationItems(call) {
      const query = readQuery(call.request, itemsQuery);
      const { items } = await findConversation(shelfOf(call), call.id);
      return pageOf(items, query, id => removed.get(toKey(call.id, id)));
    },
    async createConversationItems(call) {
      const given = parseConversationItems(await readJson(call.request));
      const resolved = await resolveItems(given, call.storage, 'items');
      shelfOf(call).requireUnlocked(call.id);
      const items = await addItems(shelfOf(call), call.id, resolved);
      return pageOf(items, { limit: items.length, order: 'asc' });
    },
    async getConversationItem(call) {
      const { items } = await findConversation(shelfOf(call), call.id);
      return items.find(({ id }) => id === call.itemId) ?? itemNotFound(call);
    },
    async deleteConversationItem(call) {
      shelfOf(call).requireUnlocked(call.id);
      let before: string | null = null;
      const changed = await change(shelfOf(call), call.id, ({ document, items }) => {
        const at = items.findIndex(({ id }) => id === call.itemId);
        if (at === -1) itemNotFound(call);
        before = items[at - 1]?.id ?? null;
        return { document, items: items.toSpliced(at, 1), removedId: call.itemId };
      });
      removed.set(toKey(call.id, call.itemId), before);
      return changed;
    },
  };
}

const shelfOf = ({ storage }: StoringCall) => shelfFor(storage, 'conversation_not_found');

/** Throws `conversation_not_found`. */
export async function findConversation(shelf: Shelf, id: string): Promise<Contents['conversation']> {
  const found = await shelf.find('conversation', id);
  if (found) return found;
  throw conversationNotFound(id);
}

/** Returns them as they were added. */
export async function addItems(
  shelf: Shelf,
  id: string,
  given: readonly ResponseItem[],
): Promise<ResponseItem[]> {
  let added: ResponseItem[] = [];
  await change(shelf, id, ({ document, items }) => {
    added = withOwnIds(items, given);
    return { document, items: [...items, ...added], itemIds: added.map(item => item.id) };
  });
  return added;
}

/** One change after the other, so that none is lost. */
function change(
  shelf: Shelf,
  id: string,
  how: (content: Contents['conversation']) => Contents['conversation'] & ItemChange,
): Promise<Conversation> {
  return shelf.inTurn(async () => {
    const { document, items, ...itemChange } = how(await findConversation(shelf, id));
    if (!(await shelf.replace('conversation', { document, items }, itemChange)))
      throw conversationNotFound(id);
    return document;
  });
}

function conversationNotFound(id: string): ApiError {
  const message = `There is no conversation \`${id.slice(0, 100)}\` here. It may have expired.`;
  return new ApiError('conversation_not_found', message, { param: 'conversation' });
}

function itemNotFound({ itemId }: StoringCall): never {
  const message = `This conversation has no item \`${itemId.slice(0, 100)}\`.`;
  throw new ApiError('item_not_found', message, { param: 'id' });
}
