// What a template writes after the assistant's text to end the turn. The model must learn to generate it.
import { type Conversation, renderPlaceholder } from './conversation.js';
import { anyOfPattern } from './vocabulary.js';

/** From the longest to the shortest: the last turn may have one more marker than the others. */
export type TurnEndings = readonly string[];

/** Creates a function that finds the endings of a turn, as if it were the last one of the conversation. */
export function createEndingsFinder(
  markers: readonly string[],
): (conversation: Conversation, turn: number) => TurnEndings {
  const marker = anyOfPattern(markers);
  const patterns = [`^\\s*${marker}+`, `^\\s*${marker}`].map(source => new RegExp(source));
  return (conversation, turn) => {
    const messages = conversation.messages.slice(0, turn + 1);
    const { tail } = renderPlaceholder({ ...conversation, messages }, turn);
    const endings = patterns.flatMap(pattern => pattern.exec(tail)?.[0] ?? []);
    return endings.length > 0 ? endings : [tail.trimEnd()];
  };
}

/** The ending at an offset of a text, or an empty string. */
export function endingAt(text: string, offset: number, endings: TurnEndings): string {
  return endings.find(ending => text.startsWith(ending, offset)) ?? '';
}
