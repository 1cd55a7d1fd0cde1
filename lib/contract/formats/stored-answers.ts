// Stored answers in OpenAI's format: responses, conversations and chat completions that can be read again.
import * as z from 'zod/mini';
import { defineRoutes, json } from '../route.js';
import { parseRequest } from '../validate.js';
import { chatCompletion } from './chat.js';
import { page, pageCursor, pageLimit, pageOrder } from './lists.js';
import { dropNulls, metadata, refuseProto, requireObject } from './published-format.js';
import { response, responseEvent, responseItem } from './responses.js';

const MOST_LISTED = 100;

/** Also for the messages of a chat completion. */
export const itemsQuery = z.object({ limit: pageLimit(MOST_LISTED), order: pageOrder, after: pageCursor });

export const responseQuery = z.object({
  stream: z.optional(z.enum(['true', 'false'])),
  starting_after: z.optional(z.coerce.number().check(z.int(), z.gte(0))),
});

export const storedChatsQuery = z.object({
  limit: pageLimit(MOST_LISTED),
  order: pageOrder,
  after: pageCursor,
  model: z.optional(z.string()),
  metadata: z.optional(refuseProto(z.record(z.string(), z.string()))),
});

const metadataChange = z.object({ metadata: z.nullable(metadata) });

/** The new metadata; null removes all of it. */
export function parseMetadataChange(body: unknown): Record<string, string> {
  return parseRequest(metadataChange, requireObject(body)).metadata ?? {};
}

const conversationFields = z.object({ metadata: z.optional(metadata) });

/** The metadata of a new conversation. */
export function parseConversationFields(body: unknown): Record<string, string> {
  return parseRequest(conversationFields, dropNulls(requireObject(body), new Set())).metadata ?? {};
}

const conversation = z.object({
  id: z.string(),
  object: z.literal('conversation'),
  /** Unix seconds. */
  created_at: z.int(),
  metadata: z.record(z.string(), z.string()),
});

export type Conversation = z.output<typeof conversation>;

/** For the OpenAPI document. Items are those of a response's input. */
const newItems = z.object({ items: z.array(z.looseObject({})) });
const newConversation = z.looseObject({
  items: z.optional(z.nullable(newItems.shape.items)),
  metadata: z.optional(z.nullable(metadata)),
});

const deleted = <const Name extends string>(object: Name) =>
  json(z.object({ id: z.string(), object: z.literal(object), deleted: z.literal(true) }));

const storedChat = z.extend(chatCompletion, { metadata: z.record(z.string(), z.string()) });

const storedMessage = z.looseObject({ id: z.string(), role: z.string() });

/** Of the operation `responses`. */
export const storedResponseRoutes = defineRoutes({
  getResponse: {
    method: 'GET',
    path: '/openai/v1/responses/:id',
    summary: 'Returns a stored response, or its events if it runs in the background.',
    query: responseQuery,
    response: { kind: 'completion', schema: response, chunk: responseEvent },
  },
  deleteResponse: {
    method: 'DELETE',
    path: '/openai/v1/responses/:id',
    summary: 'Deletes a stored response. One that runs in the background is canceled first.',
    response: deleted('response'),
  },
  cancelResponse: {
    method: 'POST',
    path: '/openai/v1/responses/:id/cancel',
    summary: 'Cancels a background response. Has no effect on one that has ended.',
    response: json(response),
  },
  listInputItems: {
    method: 'GET',
    path: '/openai/v1/responses/:id/input_items',
    summary: 'Lists what the model was given for a response, with earlier turns, the newest first.',
    query: itemsQuery,
    response: json(page(responseItem)),
  },
  createConversation: {
    method: 'POST',
    path: '/openai/v1/conversations',
    summary: 'Creates a conversation, to which responses add their turns.',
    body: newConversation,
    response: json(conversation),
  },
  getConversation: {
    method: 'GET',
    path: '/openai/v1/conversations/:id',
    summary: 'Returns a conversation without its items.',
    response: json(conversation),
  },
  updateConversation: {
    method: 'POST',
    path: '/openai/v1/conversations/:id',
    summary: "Replaces a conversation's metadata.",
    body: metadataChange,
    response: json(conversation),
  },
  deleteConversation: {
    method: 'DELETE',
    path: '/openai/v1/conversations/:id',
    summary: 'Deletes a conversation and its items.',
    response: deleted('conversation.deleted'),
  },
  listConversationItems: {
    method: 'GET',
    path: '/openai/v1/conversations/:id/items',
    summary: 'Lists the items of a conversation, the newest first.',
    query: itemsQuery,
    response: json(page(responseItem)),
  },
  createConversationItems: {
    method: 'POST',
    path: '/openai/v1/conversations/:id/items',
    summary: 'Adds up to 20 items to a conversation.',
    body: newItems,
    response: json(page(responseItem)),
  },
  getConversationItem: {
    method: 'GET',
    path: '/openai/v1/conversations/:id/items/:item',
    summary: 'Returns an item of a conversation.',
    response: json(responseItem),
  },
  deleteConversationItem: {
    method: 'DELETE',
    path: '/openai/v1/conversations/:id/items/:item',
    summary: 'Deletes an item, and returns its conversation.',
    response: json(conversation),
  },
});

/** At a project's address alone. */
export const storedChatRoutes = defineRoutes({
  listChats: {
    method: 'GET',
    path: '/openai/v1/chat/completions',
    summary: 'Lists stored chat completions, the oldest first.',
    query: storedChatsQuery,
    response: json(page(storedChat)),
  },
  getChat: {
    method: 'GET',
    path: '/openai/v1/chat/completions/:id',
    summary: 'Returns a stored chat completion.',
    response: json(storedChat),
  },
  updateChat: {
    method: 'POST',
    path: '/openai/v1/chat/completions/:id',
    summary: "Replaces a stored chat completion's metadata.",
    body: metadataChange,
    response: json(storedChat),
  },
  deleteChat: {
    method: 'DELETE',
    path: '/openai/v1/chat/completions/:id',
    summary: 'Deletes a stored chat completion.',
    response: deleted('chat.completion.deleted'),
  },
  listChatMessages: {
    method: 'GET',
    path: '/openai/v1/chat/completions/:id/messages',
    summary: 'Lists the messages that a stored chat completion answers.',
    query: itemsQuery,
    response: json(page(storedMessage)),
  },
});
