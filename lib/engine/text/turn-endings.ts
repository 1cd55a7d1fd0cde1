// What a template writes after the assistant's text to end its turn, which a model must learn to write itself.
import { anyOf } from './any-of.js';
import { type Conversation, renderStandIn } from './conversation.js';

/** From the fullest to the shortest: the last turn may end with one marker more than the others. */
export type TurnEndings = readonly string[];

/** Gives a function that finds the endings after the turn at an index, as if it were the conversation's last. */
export function createEndingsFinder(
  markers: readonly string[],
): (conversation: Conversation, turn: number) => TurnEndings {
  const marker = anyOf(markers);
  const patterns = [`^\\s*${marker}+`, `^\\s*${marker}`].map(source => new RegExp(source));
  return (conversation, turn) => {
    const messages = conversation.messages.slice(0, turn + 1);
    const { tail } = renderStandIn({ ...conversation, messages }, turn);
    const endings = patterns.flatMap(pattern => pattern.exec(tail)?.[0] ?? []);
    return endings.length > 0 ? endings : [tail.trimEnd()];
  };
}

/** The ending that the text after a turn begins with, or nothing. */
export function endingOf(tail: string, endings: TurnEndings): string {
  return endings.find(ending => tail.startsWith(ending)) ?? '';
}
