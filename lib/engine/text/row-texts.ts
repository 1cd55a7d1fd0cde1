// The texts of a row, by whether they are learned: for those who look for mistakes in a data set, not for training.
import { saysSomething, toTemplateMessages } from './chat-message.js';
import type { TrainOn } from './encode-chat.js';
import { type RowShape, readRow } from './row-shape.js';

export interface RowTexts {
  /** What is only read, without the system message, which many rows share. */
  readonly asked: string;
  /** The same with the system message. */
  readonly question: string;
  /** What is learned, turn by turn. */
  readonly answers: readonly string[];
  /** How many of the learned turns say nothing. */
  readonly emptyAnswers: number;
  /** Everything that the model sees, as one text that only equal rows have. */
  readonly identity: string;
}

/** Throws a `TextError` for a row that cannot be trained on. */
export function readRowTexts(row: unknown, hasTemplate: boolean, trainOn: TrainOn): RowTexts {
  const shape = readRow(row, hasTemplate);
  return { ...textsOf(shape, trainOn), identity: JSON.stringify(shape) };
}

function textsOf(shape: RowShape, trainOn: TrainOn): Omit<RowTexts, 'identity'> {
  switch (shape.kind) {
    case 'chat':
      return textsOfChat(shape, trainOn);
    case 'completion':
      return { asked: shape.prompt, question: shape.prompt, answers: [shape.completion], emptyAnswers: 0 };
    case 'text':
      return { asked: '', question: '', answers: [shape.text], emptyAnswers: 0 };
  }
}

function textsOfChat(
  { messages, first, muted }: Extract<RowShape, { kind: 'chat' }>,
  trainOn: TrainOn,
): Omit<RowTexts, 'identity'> {
  const turns = toTemplateMessages(messages).map((message, index) => {
    const isSpoken = trainOn === 'all' || (message.role === 'assistant' && index >= first);
    return { message, isLearned: isSpoken && !muted.includes(index) };
  });
  const learned = turns.flatMap(({ message, isLearned }) => (isLearned ? [message] : []));
  const read = turns.flatMap(({ message, isLearned }) => (isLearned ? [] : [message]));
  const join = (messages: typeof read) => messages.map(({ content }) => content).join('\n');
  return {
    asked: join(read.filter(({ role }) => role !== 'system')),
    question: join(read),
    answers: learned.map(message => message.content),
    emptyAnswers: learned.filter(message => !saysSomething(message)).length,
  };
}
