// Finds what the assistant says in a rendered conversation by watching the template at work. A turn begins where the
// prompt for it ends, so that what is learned is what will be generated; its text ends where the template goes on
// after a word in its place. Only lengths are compared, so a text may hold anything, markers too.
import { type Conversation, fail, renderFirst, renderStandIn } from './conversation.js';
import { endingOf, type TurnEndings } from './turn-endings.js';

export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Of these turns of the assistant: their text and the end-of-turn marker that follows it. */
export function findAssistantSpans(
  conversation: Conversation,
  turns: readonly number[],
  findEndings: (conversation: Conversation, turn: number) => TurnEndings,
): TextSpan[] {
  const endings = findEndings(conversation, turns.at(-1)!);
  return turns.map(turn => {
    const start = startOf(conversation, turn);
    const hasCalls = conversation.messages[turn]!.tool_calls !== undefined;
    const end = (hasCalls ? endOfCalls : endOfText)(conversation, turn, endings, start);
    if (start > end) fail(conversation, turn, 'it begins before the prompt for it ends');
    return { start, end };
  });
}

function startOf(conversation: Conversation, turn: number): number {
  const { rendered } = conversation;
  const before = renderFirst(conversation, turn, false);
  const prompt = renderFirst(conversation, turn, true);
  if (prompt !== undefined && prompt !== before && rendered.startsWith(prompt)) return prompt.length;

  const { head } = renderStandIn(conversation, turn);
  if (!rendered.startsWith(head)) fail(conversation, turn, 'what comes before it depends on it');
  // A space between prompt and text belongs to the text: tokens begin with it.
  const isSpaceOnly = before !== undefined && head.startsWith(before) && !head.slice(before.length).trim();
  return isSpaceOnly ? before.length : head.length;
}

function endOfText(conversation: Conversation, turn: number, endings: TurnEndings): number {
  const { rendered } = conversation;
  const { tail } = renderStandIn(conversation, turn);
  if (!rendered.endsWith(tail)) fail(conversation, turn, 'what comes after it depends on it');
  return rendered.length - tail.length + endingOf(tail, endings).length;
}

/** Calls are written after the text. Between the marker that ends them and the next text is a header, without one. */
function endOfCalls(conversation: Conversation, turn: number, endings: TurnEndings, start: number): number {
  const { rendered, messages } = conversation;
  const isLast = turn === messages.length - 1;
  const through = isLast ? rendered : renderStandIn(conversation, turn + 1).head;
  if (!rendered.startsWith(through)) fail(conversation, turn, 'the next text changes what is before it');
  for (const ending of endings) {
    const at = through.lastIndexOf(ending);
    if (ending !== '' && at >= start) return at + ending.length;
  }
  return fail(conversation, turn, 'no marker ends its tool calls');
}
