// The texts of a row, split into what is learned and what is only read. For checking a data set, not for training.

import type { LearningMethod } from '../../contract/index.js';
import { type CallFault, describeMisfit, findCallFaults } from '../../tool-calls/index.js';
import { saysSomething, toTemplateMessages } from './chat-message.js';
import type { TrainOn } from './encode-chat.js';
import { TextError } from './errors.js';
import { methodsFor } from './row-formats.js';
import { type PromptShape, readRow, type TextShape } from './row-shape.js';

export interface RowTexts {
  /** The text that is only context, without the system message, which many rows share. */
  readonly asked: string;
  /** Everything before the last learned answer, to detect repeated questions. Empty if there is no question. */
  readonly question: string;
  /** The learned text, turn by turn. */
  readonly answers: readonly string[];
  /** How many learned turns are empty. */
  readonly emptyAnswers: number;
  /** What is thought in learned turns. */
  readonly thoughts: readonly string[];
  /** What is wrong with its calls of functions, and with their results; of a pair, with those of the chosen answer. */
  readonly callFaults: readonly CallFault[];
  readonly hasTools: boolean;
  /** Everything the model sees, as one string, to detect equal rows. */
  readonly identity: string;
}

/** Throws a `TextError` for a row that cannot be trained on. */
export function readRowTexts(
  row: unknown,
  hasTemplate: boolean,
  { trainOn, method = 'sft' }: { trainOn: TrainOn; method?: LearningMethod | undefined },
): RowTexts {
  const shape = readRow(row, hasTemplate, method);
  const identity = JSON.stringify(shape);
  if (shape.kind === 'prompt') return { ...textsOfPrompt(shape), identity };
  if (shape.kind !== 'pair') return { ...textsOf(shape, trainOn), identity };
  const [chosen, rejected] = [shape.chosen, shape.rejected].map(side => textsOf(side, 'assistant')) as [
    Texts,
    Texts,
  ];
  // A rejected answer may be empty: not to answer can be what to unlearn. A prompt may have several pairs.
  return {
    ...chosen,
    question: '',
    answers: [...chosen.answers, ...rejected.answers],
    thoughts: [...chosen.thoughts, ...rejected.thoughts],
    identity,
  };
}

/**
 * Throws a `TextError` for a row that cannot be trained on by any method, whatever the model and the options. Says why as training
 * would.
 */
export function requireUsable(row: Readonly<Record<string, unknown>>): void {
  let refusal: TextError | undefined;
  for (const method of methodsFor(Object.keys(row))) {
    try {
      const shape = readRow(row, false, method);
      const texts = shape.kind === 'pair' ? [shape.chosen, shape.rejected] : [shape];
      for (const text of texts) if ('messages' in text) toTemplateMessages(text.messages);
      return;
    } catch (error) {
      if (!(error instanceof TextError)) throw error;
      refusal ??= error;
    }
  }
  if (refusal) throw refusal;
}

/** Which argument of which call does not fit; null if all do. Throws as `readRowTexts` does. */
export function readMisfit(
  row: unknown,
  hasTemplate: boolean,
  method: LearningMethod = 'sft',
): string | null {
  const shape = readRow(row, hasTemplate, method);
  const side = shape.kind === 'pair' ? shape.chosen : shape;
  return side.kind === 'chat' ? describeMisfit(side.messages, side.tools) : null;
}

type Texts = Omit<RowTexts, 'identity'>;

const PLAIN = { asked: '', question: '', emptyAnswers: 0, thoughts: [], callFaults: [], hasTools: false };

/** What is asked twice is found as an equal row. */
function textsOfPrompt({ messages }: PromptShape): Texts {
  const asked = toTemplateMessages(messages).filter(({ role }) => role !== 'system');
  return { ...PLAIN, asked: asked.map(({ content }) => content).join('\n'), answers: [] };
}

function textsOf(shape: TextShape, trainOn: TrainOn): Texts {
  switch (shape.kind) {
    case 'chat':
      return textsOfChat(shape, trainOn);
    case 'completion':
      return { ...PLAIN, asked: shape.prompt, question: shape.prompt, answers: [shape.completion] };
    case 'text':
      return { ...PLAIN, answers: [shape.text] };
  }
}

function textsOfChat(
  { messages, first, muted, tools }: Extract<TextShape, { kind: 'chat' }>,
  trainOn: TrainOn,
): Texts {
  const without = new Set(muted);
  const turns = toTemplateMessages(messages).map((message, index) => {
    const isSpoken = trainOn === 'all' || (message.role === 'assistant' && index >= first);
    return { message, isLearned: isSpoken && !without.has(index) };
  });
  const learned = turns.flatMap(({ message, isLearned }) => (isLearned ? [message] : []));
  const read = turns.flatMap(({ message, isLearned }) => (isLearned ? [] : [message]));
  const join = (messages: typeof read) => messages.map(({ content }) => content).join('\n');
  return {
    asked: join(read.filter(({ role }) => role !== 'system')),
    question: trainOn === 'all' ? '' : questionOf(turns),
    answers: learned.map(message => message.content),
    emptyAnswers: learned.filter(message => !saysSomething(message)).length,
    thoughts: learned.flatMap(({ reasoning_content: thought }) =>
      typeof thought === 'string' ? [thought] : [],
    ),
    callFaults: findCallFaults(messages, tools),
    hasTools: tools !== undefined,
  };
}

type Turn = { message: ReturnType<typeof toTemplateMessages>[number]; isLearned: boolean };

/** Includes the roles, since the same words from the assistant and from the user are different questions. */
function questionOf(turns: readonly Turn[]): string {
  const before = turns.slice(
    0,
    turns.findLastIndex(({ isLearned }) => isLearned),
  );
  if (!before.some(({ message: { role } }) => role !== 'system')) return '';
  return before.map(({ message: { role, content } }) => `${role}\n${content}`).join('\n');
}
