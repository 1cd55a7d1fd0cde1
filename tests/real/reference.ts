// What transformers and PEFT computed with a real model: see tests/golden/real/make.py.
import { readFileSync } from 'node:fs';
import type { ModelText } from '../../lib/engine/text/index.js';

/** The likeliest candidates for a token, the best first. */
interface Step {
  ids: readonly number[];
  logits: readonly number[];
}

export interface ReferenceAnswer {
  prompt: string;
  /** Of the rendered conversation. */
  ids: readonly number[];
  steps: readonly Step[];
}

export interface ReferenceTraining {
  rank: number;
  alpha: number;
  learningRate: number;
  rowsPerStep: number;
  rows: readonly { ids: readonly number[]; learnedFrom: number }[];
  losses: readonly number[];
}

export interface Reference {
  answers: readonly ReferenceAnswer[];
  training: ReferenceTraining;
  trainedAnswers: readonly ReferenceAnswer[];
}

export function readReference(name: string): Reference {
  return JSON.parse(
    readFileSync(new URL(`../golden/real/${name}.json`, import.meta.url), 'utf8'),
  ) as Reference;
}

/** Models without a chat template continue a text: the answer stands on a line of its own. */
export function renderPrompt(text: ModelText, prompt: string): string {
  if (!text.hasChatTemplate) return `${text.facts.bosToken ?? ''}${prompt}\n`;
  return text.renderChat([{ role: 'user', content: prompt }], { addGenerationPrompt: true });
}

/** Closer candidates are a tie, which other rounding may decide the other way. */
const NEAR_TIE = 0.05;

/** Null if the tokens are the same, or part at a near tie; otherwise, where and how they part. */
export function findDifference({ steps }: ReferenceAnswer, tokens: readonly number[]): string | null {
  const at = steps.findIndex(({ ids }, i) => ids[0] !== tokens[i]);
  if (at < 0) return null;
  const { ids, logits } = steps[at]!;
  const place = ids.indexOf(tokens[at]!);
  if (place >= 0 && logits[0]! - logits[place]! < NEAR_TIE) return null;
  return `token ${at} is ${tokens[at]}, not ${ids[0]} (candidates ${ids.join(', ')} with ${logits.join(', ')})`;
}
