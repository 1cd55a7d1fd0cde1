/// <reference types="node" preserve="true" />
// `svc/vitest`: tests of what a model answers, in the project's own vitest.
import { expect } from 'vitest';
import type { LikeOptions } from './answer-matchers.js';
import * as answerMatchers from './answer-matchers.js';
import type { Answer } from './ask.js';
import type { OnRows } from './rows.js';
import { type RegressOptions, toRegress, toScoreAtLeast } from './score-matchers.js';

export type { LikeOptions } from './answer-matchers.js';
export type { Answer, Ask, AskOptions, Question, ToolCall } from './ask.js';
export type { JobChoice, ModelChoice } from './choose-model.js';
export { type DescribeModel, describeModel, type ModelOptions, type ModelTests } from './describe-model.js';
export type { OnRows, TestRows } from './rows.js';
export type { Against, RegressOptions } from './score-matchers.js';

expect.extend({ ...answerMatchers, toScoreAtLeast, toRegress });

/** A value of the task's output, or for any answer its text. */
export type ExpectedAnswer<Received> =
  Awaited<Received> extends Answer<infer Output>
    ? unknown extends Output
      ? unknown
      : Output | RegExp
    : never;

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: as vitest declares it.
  interface Matchers<T = any> {
    /** The same text or value, or a text that the expression matches. White space around and between words does not count. */
    toAnswer(expected: ExpectedAnswer<T>): Promise<void>;
    /** A text with mostly the same words, or an object with mostly the same values. */
    toAnswerLike(expected: Exclude<ExpectedAnswer<T>, RegExp>, options?: LikeOptions): Promise<void>;
    /** A call of the tool, with these arguments and possibly others. */
    toCallTool(name: string, args?: Readonly<Record<string, unknown>>): Promise<void>;
    /** The same answer as last time. `-u` writes answers for the first time, or updates them. */
    toMatchAnswerSnapshot(hint?: string): Promise<void>;
    /** The score of the rows: `await expect(ask).toScoreAtLeast(0.9, { on: 'data/held-out.jsonl' })`. */
    toScoreAtLeast(score: number, rows: OnRows): Promise<void>;
    /** A loss that the rows show: `await expect(ask).not.toRegress({ against: 'served', on: 'data/held-out.jsonl' })`. */
    toRegress(options: RegressOptions): Promise<void>;
  }
}
