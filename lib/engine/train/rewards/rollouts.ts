// The answers of a step: several to each prompt, sampled with the adapter as it is.
import type { RewardGroup } from '../../../contract/index.js';
import type { GenerateRequest, LoadedAdapter, SampledAnswer, SamplingEngine } from '../../generate/index.js';
import { createRandom, PURPOSE } from '../../random.js';
import type { AnswerShape } from '../../structure/index.js';
import type { ModelText } from '../../text/index.js';
import type { RewardMethod } from '../options.js';
import type { Example } from '../packing.js';
import type { LoraState } from '../state.js';

/** A row of the data set, as graders see it. */
export type RewardedRow = Pick<RewardGroup, 'item' | 'messages'> & { tools?: readonly unknown[] | undefined };

interface RolloutParts {
  engine: SamplingEngine;
  text: Pick<ModelText, 'thoughtAfter'>;
  method: RewardMethod;
  /** In tokens, of prompt and answer together. */
  maxLength: number;
  seed: number;
  /** What the answer to a row has to look like, if that is not any text. */
  shapeOf(row: RewardedRow): AnswerShape | undefined;
}

export interface Rollout {
  prompt: Example;
  row: RewardedRow;
  answers: SampledAnswer[];
}

/** Prompts of a step at a place in the order of rows; each place has its own random numbers. */
export type SampleRollouts = (
  prompts: readonly { prompt: Example; row: RewardedRow }[],
  place: { position: number; adapter: LoadedAdapter; signal?: AbortSignal | undefined },
) => Promise<Rollout[]>;

export function createRollouts(parts: RolloutParts): SampleRollouts {
  const { engine, method, seed } = parts;
  return async (prompts, { position, adapter, signal }) => {
    const requests = prompts.flatMap(({ prompt, row }, at) => {
      const shared = toRequest(parts, prompt, row);
      return Array.from({ length: method.group }, (_, i) => ({
        ...shared,
        adapter,
        seed: createRandom(seed, PURPOSE.answers, position, at, i).bits(),
      }));
    });
    const answers = await engine.answer(requests, signal);
    return prompts.map((prompt, at) => ({
      ...prompt,
      answers: answers.slice(at * method.group, (at + 1) * method.group),
    }));
  };
}

/** The same list of tokens for all answers, which tells the engine that it is one prompt. */
function toRequest(
  { text, method, maxLength, shapeOf }: RolloutParts,
  prompt: Example,
  row: RewardedRow,
): GenerateRequest {
  const promptIds = Array.from(prompt.ids);
  return {
    promptIds,
    temperature: method.temperature,
    maxTokens: Math.min(method.maxTokens, maxLength - promptIds.length),
    shape: shapeOf(row),
    thought: text.thoughtAfter(promptIds),
  };
}

/** The adapter in training, which changes with the next step: its values are copied. */
export function toLoadedAdapter(
  { parameters, views }: LoraState,
  { rank, scaling }: Pick<LoadedAdapter, 'rank' | 'scaling'>,
): LoadedAdapter {
  return { rank, scaling, matrices: new Map(parameters.map(({ name }) => [name, views[name]!.slice()])) };
}
