// What scores are, and what gives them to answers.
import type { Call } from '../tool-calls/index.js';
import type { ScoredTask } from './infer-task.js';

/** The calls of a row that offers functions. */
export interface CallsOfRow {
  readonly expected: readonly Call[];
  readonly answered: readonly Call[];
  readonly tools: unknown;
}

/** `share`: each row has 0 or 1. `mean`: from 0 to 1. `distance`: how far a number is off, from 0 on. `reward`: any number. */
export type ScoreKind = 'share' | 'mean' | 'distance' | 'reward';

export interface ScoreName {
  readonly name: string;
  readonly kind: ScoreKind;
}

/** A row's scores by name. One that the answer does not allow, such as a distance without a number, is missing. */
export type RowScores = Readonly<Record<string, number>>;

export interface Scorer {
  readonly kind: ScoredTask['kind'];
  /** The scores of a row, the main one first. */
  readonly names: readonly ScoreName[];
  /** The labels, if the task has any. */
  readonly labels: readonly string[] | null;
  /** The scores of an answer; null is no answer. `given`: those that were computed elsewhere. */
  score(expected: string, answer: string | null, calls?: CallsOfRow, given?: RowScores): RowScores;
}

/** Prefixes keep the names of fields apart from those of scores. */
export const [FIELD, DISTANCE] = ['field.', 'distance.'];
const REWARD = 'reward';

/** A task's scores, the main one first. `isChecked`: whether it is known which answers its schema allows. */
export function scoreNames(
  { kind, output, fields = [], parts = [] }: ScoredTask,
  isChecked = !isTextSchema(output),
): ScoreName[] {
  const valid = isChecked ? [share('valid')] : [];
  switch (kind) {
    case 'labels':
      return [share('accuracy'), share('valid')];
    case 'calls':
      return [share('calls'), share('functions'), mean('arguments'), share('valid'), mean('f1')];
    case 'reward':
      return [REWARD, ...parts.map(name => `${REWARD}.${name}`)].map(name => ({ name, kind: 'reward' }));
    case 'text':
      return [mean('f1'), share('exact'), ...valid];
    case 'fields': {
      const numbers = fields.filter(({ type }) => type === 'number');
      return [
        ...[mean('f1'), share('exact'), ...valid],
        ...fields.map(({ name, type }) => (isInParts(type) ? mean : share)(FIELD + name)),
        ...numbers.map(({ name }): ScoreName => ({ name: DISTANCE + name, kind: 'distance' })),
      ];
    }
  }
}

export const isTextSchema = (schema: ScoredTask['output']) =>
  schema === undefined || schema.type === 'string';

const isInParts = (type: string) => type === 'list' || type === 'object' || type === 'any';
const share = (name: string): ScoreName => ({ name, kind: 'share' });
const mean = (name: string): ScoreName => ({ name, kind: 'mean' });
export const toScore = (isRight: boolean) => (isRight ? 1 : 0);

/** Rewards as scores: a function or a grader computed them and their parts. */
export function rewardScorer(task: ScoredTask): Scorer {
  return {
    kind: 'reward',
    labels: null,
    names: scoreNames(task),
    score: (_expected, _answer, _calls, given = {}) => given,
  };
}

/** The scores of an answer with this reward. */
export function toRewardScores(reward: number, parts: Readonly<Record<string, number>> = {}): RowScores {
  const named = Object.entries(parts).map(([name, value]) => [`${REWARD}.${name}`, value]);
  return { [REWARD]: reward, ...Object.fromEntries(named) };
}
