// A conversation as rows to train on: one row for each answer, with what was said before it. Only that answer is learned, so
// that no answer is learned twice.
import type { ChatTurn } from './chat-view.js';

export interface Exchange {
  readonly question: string;
  readonly reply: string;
}

/** One line of JSON, with its end. */
export function chatRow(before: readonly Exchange[], { question, reply }: Exchange): string {
  const context = before.flatMap(exchange => [
    { role: 'user', content: exchange.question },
    { role: 'assistant', content: exchange.reply, weight: 0 },
  ]);
  const messages = [...context, { role: 'user', content: question }, { role: 'assistant', content: reply }];
  return `${JSON.stringify({ messages })}\n`;
}

/** All answers that were not stopped and did not fail. */
export function chatRows(turns: readonly ChatTurn[]): string {
  return turns
    .map((turn, index) => (isKept(turn) ? chatRow(turns.slice(0, index).filter(hasReply), turn) : ''))
    .join('');
}

export function countChatRows(turns: readonly ChatTurn[]): number {
  return turns.filter(isKept).length;
}

function isKept({ state, reply }: ChatTurn): boolean {
  return state === 'done' && reply !== '';
}

/** What a model was told of the conversation so far. */
function hasReply({ reply }: ChatTurn): boolean {
  return reply !== '';
}
