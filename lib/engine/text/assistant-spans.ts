// Finds the assistant's text in a rendered conversation by rendering variations of it. A turn starts where its prompt
// ends, so that training matches generation; its text ends where the template continues after a placeholder in its
// place. Only lengths are compared, so a text may contain anything, even markers.
import { type Conversation, rejectTemplate, renderFirst, renderPlaceholder } from './conversation.js';
import { endingAt, type TurnEndings } from './turn-endings.js';

export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** The spans of these assistant turns, from the start of the text to the end of the end-of-turn marker. */
export function findAssistantSpans(
  conversation: Conversation,
  turns: readonly number[],
  endings: TurnEndings,
): TextSpan[] {
  return turns.map(turn => {
    const start = startOf(conversation, turn);
    const hasCalls = conversation.messages[turn]!.tool_calls !== undefined;
    const end = (hasCalls ? endOfCalls : endOfText)(conversation, turn, endings, start);
    if (start > end) rejectTemplate(conversation, turn, 'it starts before its prompt ends');
    return { start, end };
  });
}

function startOf(conversation: Conversation, turn: number): number {
  const { rendered } = conversation;
  const before = renderFirst(conversation, turn, false);
  const prompt = renderFirst(conversation, turn, true);
  if (prompt !== undefined && prompt !== before && rendered.startsWith(prompt)) return prompt.length;

  const { head } = renderPlaceholder(conversation, turn);
  if (!rendered.startsWith(head)) rejectTemplate(conversation, turn, 'the text before it depends on it');
  // A space between prompt and text belongs to the text, because tokens start with it.
  const isSpaceOnly = before !== undefined && head.startsWith(before) && !head.slice(before.length).trim();
  return isSpaceOnly ? before.length : head.length;
}

function endOfText(conversation: Conversation, turn: number, endings: TurnEndings): number {
  const { rendered } = conversation;
  const { tail } = renderPlaceholder(conversation, turn);
  if (!rendered.endsWith(tail)) rejectTemplate(conversation, turn, 'the text after it depends on it');
  const end = rendered.length - tail.length;
  return end + endingAt(rendered, end, endings).length;
}

/** Tool calls follow the text. They end at the last marker before the next text, as the header between has none. */
function endOfCalls(conversation: Conversation, turn: number, endings: TurnEndings, start: number): number {
  const { rendered, messages } = conversation;
  const isLast = turn === messages.length - 1;
  const through = isLast ? rendered : renderPlaceholder(conversation, turn + 1).head;
  if (!rendered.startsWith(through))
    rejectTemplate(conversation, turn, 'the next message changes the text before it');
  for (const ending of endings) {
    const at = through.lastIndexOf(ending);
    if (ending !== '' && at >= start) return at + ending.length;
  }
  return rejectTemplate(conversation, turn, 'no marker ends its tool calls');
}
