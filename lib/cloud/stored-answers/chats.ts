// Chat completions that a project has stored, with what they answer.
import {
  ApiError,
  type ChatCompletion,
  type ChatCompletionRequest,
  type ChatMessage,
  itemsQuery,
  parseChatRequest,
  parseMetadataChange,
  type storedChatRoutes,
  storedChatsQuery,
} from '../../contract/index.js';
import { readJson } from '../../http/index.js';
import type { Answer, AnswerFormat } from '../answers/answer.js';
import { joinText, readChat } from '../answers/chat.js';
import { pageOf, readQuery, toPage } from '../answers/lists.js';
import type { ChoicePiece } from '../answers/pieces.js';
import type { StoredChat } from './answers-db.js';
import { type AnswerStorage, type Shelf, type StoringOperation, shelfFor } from './stored-answers.js';

type ChatRoute = 'completeChat' | keyof typeof storedChatRoutes;

const USUAL_LIMIT = 20;

export function chatOperations({
  answer,
}: {
  answer: Answer;
}): Readonly<Record<ChatRoute, StoringOperation>> {
  return {
    async completeChat({ request, models, storage }) {
      const parsed = parseChatRequest(await readJson(request));
      const asked = readChat(parsed);
      const served = await models.serve(parsed.model);
      if (!parsed.store || !('shelf' in storage)) return answer(asked, served);
      const { shelf } = storage;
      const format = (...given: Parameters<typeof asked.format>) =>
        storeChat(asked.format(...given), parsed, shelf);
      return answer({ ...asked, format }, served);
    },
    async listChats({ storage, request }) {
      const {
        limit = USUAL_LIMIT,
        order = 'asc',
        after,
        model,
        metadata,
      } = readQuery(request, storedChatsQuery);
      const shelf = shelfOf(storage);
      const found = await shelf.listChats({ limit, order, after, model, metadata });
      return toPage(
        found.map(({ document }) => document),
        limit,
      );
    },
    getChat: async ({ storage, id }) => (await findChat(storage, id)).document,
    async updateChat({ storage, request, id }) {
      const metadata = parseMetadataChange(await readJson(request));
      const shelf = shelfOf(storage);
      return shelf.inTurn(async () => {
        const { document, messages } = await findChat(storage, id);
        const changed = { ...document, metadata };
        if (!(await shelf.replace('chat', { document: changed, messages }))) throw chatNotFound(id);
        return changed;
      });
    },
    async deleteChat({ storage, id }) {
      if (!(await shelfOf(storage).delete('chat', id))) throw chatNotFound(id);
      return { id, object: 'chat.completion.deleted', deleted: true };
    },
    async listChatMessages({ storage, request, id }) {
      const { order = 'asc', ...query } = readQuery(request, itemsQuery);
      const { messages } = await findChat(storage, id);
      return pageOf(
        messages.map((message, i) => toStoredMessage(message, `${id}-${i}`)),
        { order, ...query },
      );
    },
  };
}

const shelfOf = (storage: AnswerStorage) => shelfFor(storage, 'chat_completion_not_found');

/** Stores the completion before its last byte is sent. A caller who leaves early stores nothing. */
function storeChat(
  format: AnswerFormat,
  { messages, metadata = {} }: ChatCompletionRequest,
  shelf: Shelf,
): AnswerFormat {
  const store = (document: ChatCompletion) =>
    shelf.attempt(() => shelf.add('chat', { document: { ...document, metadata }, messages }));

  return {
    ...format,
    async collect(pieces) {
      const document = (await format.collect(pieces)) as ChatCompletion;
      await store(document);
      return document;
    },
    async *events(pieces) {
      const recorded: ChoicePiece[] = [];
      for await (const event of format.events(record(pieces, recorded))) {
        if (event.data === '[DONE]') await store((await format.collect(replay(recorded))) as ChatCompletion);
        yield event;
      }
    },
  };
}

async function* record(pieces: AsyncIterable<ChoicePiece>, recorded: ChoicePiece[]) {
  for await (const piece of pieces) {
    recorded.push(piece);
    yield piece;
  }
}

async function* replay(recorded: readonly ChoicePiece[]) {
  yield* recorded;
}

/** Throws `chat_completion_not_found`. */
async function findChat(
  storage: AnswerStorage,
  id: string,
): Promise<{ document: StoredChat; messages: ChatMessage[] }> {
  const found = await shelfOf(storage).find('chat', id);
  if (found) return found;
  throw chatNotFound(id);
}

function chatNotFound(id: string): ApiError {
  return new ApiError(
    'chat_completion_not_found',
    `There is no stored chat completion \`${id.slice(0, 100)}\` here. It may have expired, or it was created without \`store: true\`.`,
    { param: 'id' },
  );
}

function toStoredMessage({ content, ...message }: ChatMessage, id: string) {
  const isParts = Array.isArray(content);
  return {
    id,
    ...message,
    content: content == null ? null : joinText(content),
    content_parts: isParts ? content : null,
  };
}
