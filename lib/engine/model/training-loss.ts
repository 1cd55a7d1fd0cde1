// What a training step minimizes: from hidden states to the losses of labels, and to what is made of those.
import {
  crossEntropy,
  crossEntropyInParts,
  type OutputTable,
  pickRows,
  policy,
  preference,
  residual,
  scaled,
  softCrossEntropy,
  type Tape,
  type Tensor,
  weightedSum,
} from '../graph/index.js';
import type { ModelConfig } from './config.js';
import { finalStates } from './training-layers.js';
import { outputName } from './weight-names.js';
import type { Weights } from './weight-source.js';

/** How a run compares the answers of a pair. */
export interface PreferenceShape {
  beta: number;
  /** The share of pairs that are thought to be the wrong way round. */
  smoothing: number;
}

/** How a run learns from its own answers. */
export interface PolicyShape {
  /** How far a token's probability may move, as a share, before it stops to count. */
  epsilon: number;
  /** Of the divergence from the reference. */
  beta: number;
}

/** How a run learns a teacher's distribution. */
export interface SoftShape {
  /** How many tokens the teacher may name besides the label. */
  alternatives: number;
}

/** What is minimized, besides the losses of the labels. */
export interface TrainingGoal {
  /** Adds the loss of pairs. */
  compares?: PreferenceShape | undefined;
  /** Adds the loss of sampled answers. */
  rewards?: PolicyShape | undefined;
  /** Adds how far labels are from what a teacher expects. */
  soft?: SoftShape | undefined;
  /** What logits are divided by before they become probabilities. Default: 1. */
  temperature?: number | undefined;
  /** For how many tokens of the vocabulary the logits are computed at once, if not for all. */
  logitsAtOnce?: number | undefined;
}

/** The output with the loss of each label. */
export const LABEL_LOSSES = 'labelLosses';

/** The output with how far each label is from what a teacher expects. */
export const DIVERGENCES = 'divergences';

export function buildLoss(
  tape: Tape,
  config: ModelConfig,
  weights: Weights,
  hidden: Tensor,
  { compares, rewards, soft, temperature = 1, logitsAtOnce }: TrainingGoal,
): Tensor {
  const { graph } = tape;
  const picked = tape.apply(pickRows, { table: hidden }, { rows: graph.input('at', 'int64', ['labels']) });
  const last = finalStates(tape, config, weights, picked);
  const normal = temperature === 1 ? last : tape.apply(scaled, { x: last }, { factor: 1 / temperature });
  const output = outputName(config);
  const states = { hidden: normal, table: weights.tensor(output) };
  const labels = graph.input('labels', 'int64', ['labels']);
  const whole = () => ({ output: weights.table(output), labels });
  const inParts = (rowsAtOnce: number) => tape.apply(crossEntropyInParts, states, { labels, rowsAtOnce });
  const [losses, divergences] = soft
    ? compareWithTeacher(tape, normal, whole(), soft)
    : [logitsAtOnce ? inParts(logitsAtOnce) : tape.apply(crossEntropy, states, whole())];
  graph.output(LABEL_LOSSES, losses);
  if (divergences) graph.output(DIVERGENCES, divergences);
  const weigh = (x: Tensor, input: string) =>
    tape.apply(weightedSum, { x }, { weights: graph.input(input, 'float32', ['labels']) });
  const ofLabels = weigh(losses, 'weights');
  const others =
    (divergences && weigh(divergences, 'softWeights')) ??
    (compares && comparePairs(tape, losses, compares)) ??
    (rewards && weighAnswers(tape, losses, rewards));
  const loss = others ? tape.apply(residual, { a: ofLabels, b: others }, null) : ofLabels;
  graph.output('loss', loss);
  return loss;
}

/** The losses of the labels, and how far they are from what the teacher expects. */
function compareWithTeacher(
  tape: Tape,
  hidden: Tensor,
  options: { output: OutputTable; labels: Tensor },
  { alternatives }: SoftShape,
): [losses: Tensor, divergences: Tensor] {
  const { graph } = tape;
  const ofBuckets = (name: string) => graph.input(name, 'float32', ['labels', alternatives + 2]);
  const given = {
    ...options,
    alternatives: graph.input('alternatives', 'int64', ['labels', alternatives]),
    shares: ofBuckets('shares'),
    filling: ofBuckets('filling'),
    certainty: graph.input('certainty', 'float32', ['labels']),
  };
  return tape.applyAll(softCrossEntropy, { hidden }, given) as [Tensor, Tensor];
}

function comparePairs(tape: Tape, losses: Tensor, shape: PreferenceShape): Tensor {
  const { graph } = tape;
  const options = {
    ...shape,
    sides: graph.input('sides', 'float32', ['pairs', 'labels']),
    reference: graph.input('reference', 'float32', ['pairs']),
    weights: graph.input('pairWeights', 'float32', ['pairs']),
  };
  return tape.apply(preference, { losses }, options);
}

function weighAnswers(tape: Tape, losses: Tensor, shape: PolicyShape): Tensor {
  const ofLabels = (name: string) => tape.graph.input(name, 'float32', ['labels']);
  const options = {
    ...shape,
    advantages: ofLabels('advantages'),
    before: ofLabels('before'),
    known: ofLabels('known'),
    reference: ofLabels('reference'),
    weights: ofLabels('answerWeights'),
  };
  return tape.apply(policy, { losses }, options);
}
