// What a run that learns from rewards minimizes, and how it is evaluated, from the parts of its job.
import { toTool } from '../../../tool-calls/index.js';
import { createSamplingEngine, type Tool, toShape } from '../../generate/index.js';
import type { LoraShape, ModelSource } from '../../model/index.js';
import type { ModelText } from '../../text/index.js';
import { convertRow } from '../../text/row-formats.js';
import { chunksOf, type Evaluator } from '../evaluate.js';
import type { Objective } from '../objective.js';
import { type RewardMethod, type TrainOptions, updatesPerStep } from '../options.js';
import type { Example, ExampleSet } from '../packing.js';
import type { ReferenceModel } from '../preferences.js';
import type { LoraState } from '../state.js';
import { checkRewards, createRewardObjective, meanOf, meanParts, type Score, toGroup } from './objective.js';
import { createRollouts, type RewardedRow, type Rollout, toLoadedAdapter } from './rollouts.js';

/** The rows of a run, as they are in its data set. */
export interface PromptRows {
  text: ModelText;
  /** By its place among all rows. */
  rowAt(row: number): Record<string, unknown>;
}

interface RewardJob {
  method: RewardMethod;
  options: TrainOptions;
  /** The model in the form that it answers in. */
  answering: ModelSource;
  prompts: PromptRows | undefined;
  score: Score | undefined;
  evaluation: ExampleSet | null;
  lora: LoraShape;
  state: LoraState;
  reference: ReferenceModel;
}

export function createRewards(job: RewardJob): { objective: Objective; evaluator: Evaluator | null } {
  const { method, options, answering, prompts, score, lora, state, reference, evaluation } = job;
  if (!prompts || !score)
    throw new Error('The method grpo needs the rows of its prompts and what rewards the answers.');
  const { text } = prompts;
  const { threads, maxLength, seed } = options;
  // Answers are sampled on the CPU, also for runs on a GPU.
  const engine = createSamplingEngine({ ...answering, text, context: maxLength, session: { threads } });
  const shapeOf = ({ tools }: RewardedRow) =>
    toShape(text.callNotation, {
      json: method.schema,
      tools: tools && { all: tools.map(checkTool), isRequired: false, parallel: true },
    });
  const rollouts = { engine, text, method, maxLength, seed, shapeOf };
  const rowOf = (prompt: Example) => toRow(prompts.rowAt(prompt.row!));
  const adapterNow = () => toLoadedAdapter(state, lora);
  const sample = createRollouts(rollouts);
  const objective = createRewardObjective({
    shape: { epsilon: method.epsilon, beta: method.beta },
    updates: updatesPerStep(method),
    reference,
    rowOf,
    async sample(rows, { position, pull, signal }) {
      await pull();
      return sample(rows, { position, adapter: adapterNow(), signal });
    },
    score,
    close: engine.close,
  });
  // One answer each, the likeliest.
  const greedy = createRollouts({ ...rollouts, method: { ...method, group: 1, temperature: 0 } });
  const evaluator =
    evaluation &&
    createRewardEvaluator(evaluation, {
      rowOf,
      sample: (rows, signal) => greedy(rows, { position: 0, adapter: adapterNow(), signal }),
      score,
    });
  return { objective, evaluator };
}

function toRow(item: Record<string, unknown>): RewardedRow {
  // A run on tokens has no rows: whoever rewards its answers does.
  const { messages, tools } = convertRow(item, 'grpo') ?? item;
  const given = Array.isArray(tools) && tools.length > 0 ? tools.map(toTool) : undefined;
  return { item, messages: messages as RewardedRow['messages'], tools: given };
}

function checkTool(tool: unknown): Tool {
  const named = tool as { function?: { name?: unknown } } | null;
  if (typeof named?.function?.name === 'string') return tool as Tool;
  throw new Error(`A row has a tool that is no function with a name: ${JSON.stringify(tool).slice(0, 100)}`);
}

interface EvaluatorParts {
  rowOf(prompt: Example): RewardedRow;
  sample(
    prompts: readonly { prompt: Example; row: RewardedRow }[],
    signal: AbortSignal | undefined,
  ): Promise<Rollout[]>;
  score: Score;
}

function createRewardEvaluator(prompts: ExampleSet, { rowOf, sample, score }: EvaluatorParts): Evaluator {
  const rowOfIndex = (index: number) => prompts.rowOf?.(index) ?? index;
  const numbered: ExampleSet = {
    length: prompts.length,
    at(index) {
      const prompt = prompts.at(index);
      return prompt ? { ...prompt, row: rowOfIndex(index) } : null;
    },
  };
  return {
    async run(_, signal, step = 0) {
      const known: { reward: number; parts?: Record<string, number> }[] = [];
      for await (const chunk of chunksOf(numbered, signal)) {
        const rollouts = await sample(
          chunk.map(prompt => ({ prompt, row: rowOf(prompt) })),
          signal,
        );
        const given = await score({ step, groups: rollouts.map(toGroup) }, signal);
        for (const one of checkRewards(given, rollouts).flat()) if (!('error' in one)) known.push(one);
      }
      const reward = meanOf(known.map(one => one.reward));
      return { loss: null, rank: -reward, metrics: { reward, ...meanParts(known) } };
    },
    // What it samples with belongs to the objective.
    async close() {},
  };
}
