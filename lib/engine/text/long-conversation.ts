// Finds spans in a long conversation without rendering all of it for each turn: a few messages at a time, in a short
// conversation with their neighbors. The texts of these parts, put together, must be the text of the whole. A template
// for which they are not is rendered for each turn after all, up to a limit.
import { type Conversation, renderPlaceholder, type TextSpan } from './assistant-spans.js';
import type { TemplateMessage } from './chat-message.js';
import { TextError } from './errors.js';

/** Renders a conversation a few times for each of the turns. */
type FindSpans = (conversation: Conversation, turns: readonly number[]) => TextSpan[];

/** Rendering a conversation for each of this many turns is cheap. */
const FEW_TURNS = 16;
/** With this many messages, it takes about a second. */
const MOST_MESSAGES = 400;

/** The spans of any number of turns, as `find` finds them. */
export function findSpansInParts(
  conversation: Conversation,
  turns: readonly number[],
  find: FindSpans,
): TextSpan[] {
  if (turns.length <= FEW_TURNS) return find(conversation, turns);
  const spans = joinParts(conversation, turns, find);
  if (spans) return spans;
  const { messages, template } = conversation;
  if (messages.length <= MOST_MESSAGES) return find(conversation, turns);
  find(conversation, turns.slice(0, FEW_TURNS)); // It may not find any, which is the better error.
  throw new TextError(
    `It has ${messages.length} messages, and at most ${MOST_MESSAGES} are possible with the chat template in ` +
      `${template.file}, which renders a message differently in a long conversation. ` +
      'Split the conversation, or train on all tokens.',
  );
}

/** Undefined if the parts do not add up to the whole. */
function joinParts(
  conversation: Conversation,
  turns: readonly number[],
  find: FindSpans,
): TextSpan[] | undefined {
  const { rendered } = conversation;
  const spans: TextSpan[] = [];
  let offset = 0;
  let found = 0;
  try {
    for (const { view, from, to, end, indexOf } of renderParts(conversation)) {
      const own: number[] = [];
      while (found < turns.length && turns[found]! < end) own.push(indexOf(turns[found++]!));
      const shift = offset - from;
      const moved = (own.length > 0 ? find(view, own) : []).map(({ start, end }) => ({
        start: start + shift,
        end: end + shift,
      }));
      const agrees = ({ start, end }: TextSpan) =>
        rendered.startsWith(view.rendered.slice(start - shift, end - shift), start);
      offset = to + shift;
      if (![{ start: from + shift, end: offset }, ...moved].every(agrees)) return undefined;
      spans.push(...moved);
    }
  } catch (error) {
    if (error instanceof TextError) return undefined;
    throw error;
  }
  return offset === rendered.length ? spans : undefined;
}

interface Part {
  /** A short conversation with the part's messages. */
  readonly view: Conversation;
  /** Its text in that conversation, up to the text of the next part's first message. */
  readonly from: number;
  readonly to: number;
  /** The first message after it. */
  readonly end: number;
  /** Where a message is in that conversation. */
  indexOf(message: number): number;
}

function* renderParts(conversation: Conversation): Generator<Part> {
  const starts = partStarts(conversation.messages);
  const bounds = [...starts, conversation.messages.length];
  const lastUser = conversation.messages.findLastIndex(isUser);
  for (const [part, first] of starts.entries()) {
    const end = bounds[part + 1]!;
    const before = bounds[Math.max(0, part - 1)]!;
    const after = bounds[Math.min(part + 2, starts.length)]!;
    const isUserLater = lastUser >= end;
    const { view, indexOf } = viewOf(
      conversation,
      before,
      after,
      isUserLater && !conversation.messages.slice(end, after).some(isUser),
    );
    const textStart = (message: number) => renderPlaceholder(view, indexOf(message)).head.length;
    yield {
      view,
      from: part === 0 ? 0 : textStart(first),
      to: part === starts.length - 1 ? view.rendered.length : textStart(end),
      end,
      indexOf,
    };
  }
}

/** How many messages make a part, or a few more. */
const PART = 4;

/** A part starts where a conversation can: where the user or the assistant speaks, but not with the result of a call. */
function partStarts(messages: readonly TemplateMessage[]): number[] {
  const starts = [0];
  for (const [index, { role }] of messages.entries())
    if (index >= starts.at(-1)! + PART && (role === 'user' || role === 'assistant')) starts.push(index);
  return starts;
}

const isUser = ({ role }: TemplateMessage) => role === 'user';
const standIn = (role: string): TemplateMessage => ({ role, content: 'a' });
const TOOL = { name: 'a', description: 'a', parameters: { type: 'object', properties: {} } };

/**
 * The messages from `before` to `after`. Templates ask whether there is a system message, tools, and a user before and
 * after a message, but these may be long, so others stand in for them.
 */
function viewOf(
  { template, messages, options }: Conversation,
  before: number,
  after: number,
  needsUser: boolean,
): Pick<Part, 'view' | 'indexOf'> {
  const lead: TemplateMessage[] = [];
  if (before > 0 && messages[0]!.role === 'system') lead.push(standIn('system'));
  if (before > 0 && !isUser(messages[before]!)) lead.push(standIn('user'));
  const shown = [...lead, ...messages.slice(before, after), ...(needsUser ? [standIn('user')] : [])];
  const tools = before > 0 && options.tools ? [{ type: 'function', function: TOOL }] : options.tools;
  const rendered = template.render(shown, { ...options, tools });
  return {
    view: { template, messages: shown, options: { ...options, tools }, rendered },
    indexOf: message => message - before + lead.length,
  };
}
