// The messages of chats: as everything here reads them, and as programs send them, which includes forms that the format had
// earlier or that only other models write.
import * as z from 'zod/mini';
import { boundConversation } from '../text.js';

const textPart = z.object({ type: z.literal('text'), text: z.string() });
const texts = z.union([z.string(), z.array(textPart)]);
const content = z.union([z.string(), z.array(textPart).check(z.minLength(1))]);
const name = z.optional(z.string());

export const functionCall = z.object({ name: z.string(), arguments: z.string() });

export const toolCall = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: functionCall,
});

const toolCalls = z.optional(z.array(toolCall));
const system = z.object({ role: z.enum(['system', 'developer']), content, name });
const user = z.object({ role: z.literal('user'), content, name });
const tool = z.object({ role: z.literal('tool'), content: texts, tool_call_id: z.string(), name });

export const chatMessage = z.discriminatedUnion('role', [
  system,
  user,
  z.object({
    role: z.literal('assistant'),
    content: z.optional(z.nullable(texts)),
    /** What was thought before it. The chat template decides whether the model sees it. */
    reasoning_content: z.optional(z.string()),
    tool_calls: toolCalls,
    name,
  }),
  tool,
]);

export type ChatMessage = z.output<typeof chatMessage>;

export const conversation = boundConversation(z.array(chatMessage).check(z.minLength(1)));

export const refusalPart = z.object({ type: z.literal('refusal'), refusal: z.string() });

/** The types of parts in requests. */
export const PART_TYPES: readonly unknown[] = ['text', 'refusal'];

const sentMessage = z.discriminatedUnion('role', [
  system,
  user,
  z.object({
    role: z.literal('assistant'),
    content: z.optional(
      z.union([z.string(), z.array(z.discriminatedUnion('type', [textPart, refusalPart]))]),
    ),
    reasoning_content: z.optional(z.string()),
    /** The same under another name. */
    reasoning: z.optional(z.string()),
    refusal: z.optional(z.string()),
    tool_calls: toolCalls,
    function_call: z.optional(functionCall),
    name,
  }),
  tool,
  z.object({ role: z.literal('function'), content: z.optional(texts), name: z.string() }),
]);

type SentMessage = z.output<typeof sentMessage>;

/** A conversation in a request, read as one of `chatMessage`. */
export const sentConversation = z.pipe(
  boundConversation(z.array(sentMessage).check(z.minLength(1))),
  z.transform(toMessages),
);

function toMessages(sent: SentMessage[]): ChatMessage[] {
  let id = 'call_0';
  return sent.map((message, i): ChatMessage => {
    if (message.role === 'function') {
      const { content = '', name } = message;
      return { role: 'tool', tool_call_id: id, name, content };
    }
    if (message.role !== 'assistant') return message;
    const { content, reasoning, refusal, function_call: call, ...rest } = message;
    const { reasoning_content: thought = reasoning } = rest;
    if (call) id = `call_${i}`;
    return {
      ...rest,
      ...toContent(content, refusal),
      ...(thought && { reasoning_content: thought }),
      ...(call && { tool_calls: [{ id, type: 'function', function: call }] }),
    };
  });
}

/** What was refused is said in place of an answer. */
function toContent(
  content: Extract<SentMessage, { role: 'assistant' }>['content'],
  refusal: string | undefined,
): Pick<Extract<ChatMessage, { role: 'assistant' }>, 'content'> {
  if (refusal !== undefined && !content?.length) return { content: refusal };
  if (!Array.isArray(content)) return content === undefined ? {} : { content };
  const toText = (part: (typeof content)[number]) =>
    part.type === 'text' ? part : { type: 'text' as const, text: part.refusal };
  return { content: content.map(toText) };
}
