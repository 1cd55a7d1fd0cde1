// What an evaluation says, in words and figures: scores with intervals, and a comparison with its verdict.
import type {
  ComparedScore,
  ComparedSubject,
  ConfusionMatrix,
  Evaluation,
  EvaluationCost,
  EvaluationScore,
} from '../../contract/index.js';
import { targetLabel } from '../labels.js';
import { formatCount, formatDuration, formatNumber, plural } from '../text/format.js';

/** `Final adapter (job 1a2b3c4d)`, with the endpoint that it was asked as, or `ft:gpt-4o-mini (answers.jsonl)`. */
export function subjectLabel({ target, endpoint }: ComparedSubject): string {
  if (target.kind === 'answers') return `${target.model ?? 'Answers'} (${target.file})`;
  const label = targetLabel(target);
  return endpoint === null ? label : `${endpoint}: ${label}`;
}

const NAMES: Readonly<Record<string, string>> = {
  accuracy: 'Accuracy',
  calls: 'Right calls',
  functions: 'Right functions',
  arguments: 'Arguments',
  macroF1: 'Macro F1',
  f1: 'F1',
  exact: 'Exact',
  valid: 'Valid',
  reward: 'Reward',
  rewardSpread: 'Spread of rewards',
};

/** `Accuracy`, `amount`, `amount, off by`, `Reward: brief`. */
export function scoreLabel(name: string): string {
  if (Object.hasOwn(NAMES, name)) return NAMES[name]!;
  if (name.startsWith('reward.')) return `Reward: ${name.slice('reward.'.length)}`;
  if (name.startsWith('field.')) return name.slice('field.'.length);
  return name.startsWith('distance.') ? `${name.slice('distance.'.length)}, off by` : name;
}

type Kind = EvaluationScore['kind'];

/** Distances and rewards are shown as they are, all others as percents. */
export function isPercent(kind: Kind): boolean {
  return kind === 'share' || kind === 'mean';
}

/** `85.0 %`, or a distance or a reward as it is. */
export function scoreValueText(value: number, kind: Kind): string {
  return isPercent(kind) ? `${(100 * value).toFixed(1)} %` : formatNumber(value);
}

/** `70.9 to 92.9 %` */
export function intervalText({ kind, low, high }: Pick<EvaluationScore, 'kind' | 'low' | 'high'>): string {
  if (!isPercent(kind)) return `${formatNumber(low)} to ${formatNumber(high)}`;
  return `${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)} %`;
}

/** `+25.0 points`: of percent, for shares. */
export function differenceText(difference: number, kind: Kind): string {
  return isPercent(kind) ? `${points(difference)} points` : signed(difference, formatNumber);
}

function points(value: number): string {
  return signed(100 * value, size => size.toFixed(1));
}

function signed(value: number, write: (size: number) => string): string {
  const size = write(Math.abs(value));
  if (Number(size) === 0) return size;
  return `${value < 0 ? '−' : '+'}${size}`;
}

/** `+9.0 to +41.0 points` */
export function differenceInterval({
  kind,
  low,
  high,
}: Pick<ComparedScore, 'kind' | 'low' | 'high'>): string {
  if (!isPercent(kind)) return `${signed(low, formatNumber)} to ${signed(high, formatNumber)}`;
  return `${points(low)} to ${points(high)} points`;
}

/** `0.006`, `< 0.001` */
export function pText(p: number): string {
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}

export const VERDICT_LABELS = {
  better: 'better',
  worse: 'worse',
  no_difference_found: 'no difference found',
} as const satisfies Record<ComparedScore['verdict'], string>;

/** The verdict in one sentence. If nothing was found, it says what this many rows could have shown. */
export function verdictText(compared: ComparedScore): string {
  const { verdict, kind, p, rows, findable } = compared;
  const name = scoreLabel(compared.score);
  const found = `${name} ${differenceText(compared.difference, kind)} (95 % interval ${differenceInterval(compared)}, p ${pText(p)}).`;
  if (verdict !== 'no_difference_found') return `${verdict === 'better' ? 'Better' : 'Worse'}: ${found}`;
  const least = isPercent(kind) ? `${(100 * findable).toFixed(1)} points` : formatNumber(findable);
  return `No difference found: ${found} ${plural(rows, 'row')} would show a difference of ${least} in 85 % of comparisons.`;
}

/** `12 better, 2 worse, 26 the same` */
export function changedText({ changed: { better, worse, same } }: Pick<ComparedScore, 'changed'>): string {
  return `${formatCount(better)} better, ${formatCount(worse)} worse, ${formatCount(same)} the same`;
}

/** `120 ms median, 240 ms p95` */
function latencyText({ latencyMs }: EvaluationCost): string {
  if (!latencyMs) return 'not measured';
  return `${formatDuration(latencyMs.median)} median, ${formatDuration(latencyMs.p95)} p95`;
}

/** `2,400 read, 160 written` */
function tokenText({ promptTokens, completionTokens }: EvaluationCost): string {
  return `${formatCount(promptTokens)} read, ${formatCount(completionTokens)} written`;
}

/** A line of the table of scores. `difference` and what follows are null without a comparison of that score. */
export interface ScoreLine {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly interval: string;
  readonly rows: number;
  readonly against: string | null;
  readonly difference: string | null;
  readonly differenceInterval: string | null;
  readonly verdict: ComparedScore['verdict'] | null;
}

export function scoreLines({ scores, comparison }: Pick<Evaluation, 'scores' | 'comparison'>): ScoreLine[] {
  return scores.map(score => {
    const compared = comparison?.scores.find(({ score: name }) => name === score.name);
    return {
      name: score.name,
      label: scoreLabel(score.name),
      value: scoreValueText(score.value, score.kind),
      interval: intervalText(score),
      rows: score.rows,
      against: compared ? scoreValueText(compared.againstValue, compared.kind) : null,
      difference: compared ? differenceText(compared.difference, compared.kind) : null,
      differenceInterval: compared ? differenceInterval(compared) : null,
      verdict: compared?.verdict ?? null,
    };
  });
}

export interface EvaluationFact {
  readonly label: string;
  readonly value: string;
}

/** What was asked, on which rows, and what it took. */
export function evaluationFacts(evaluation: Evaluation): EvaluationFact[] {
  const { subject, data, task, cost, failed, comparison } = evaluation;
  return [
    { label: 'Evaluated', value: subjectLabel(subject) },
    ...(comparison ? [{ label: 'Compared with', value: subjectLabel(comparison.against) }] : []),
    { label: 'Data', value: `${data.name}, ${plural(data.rows, 'row')}` },
    ...(task.name === null ? [] : [{ label: 'Task', value: task.name }]),
    { label: 'Time for an answer', value: versus(cost, comparison?.cost, latencyText) },
    { label: 'Tokens', value: versus(cost, comparison?.cost, tokenText) },
    ...(failed > 0 ? [{ label: 'Without an answer', value: plural(failed, 'row') }] : []),
  ];
}

function versus(
  own: EvaluationCost,
  other: EvaluationCost | undefined,
  write: (cost: EvaluationCost) => string,
): string {
  return other ? `${write(own)} (compared: ${write(other)})` : write(own);
}

interface MatrixCell {
  readonly count: number;
  /** Of its row, from 0 to 1. */
  readonly share: number;
  readonly isRight: boolean;
}

export interface MatrixRow {
  readonly label: string;
  readonly cells: readonly MatrixCell[];
  readonly total: number;
}

export interface Matrix {
  /** The answered labels; the last one stands for all other answers, if there were any. */
  readonly columns: readonly string[];
  readonly rows: readonly MatrixRow[];
}

export function matrixOf({ labels, counts }: ConfusionMatrix): Matrix {
  const hasOthers = counts.some(row => (row[labels.length] ?? 0) > 0);
  const columns = hasOthers ? [...labels, 'other answers'] : [...labels];
  const rows = labels.map((label, index) => {
    const row = counts[index] ?? [];
    const total = row.reduce((sum, count) => sum + count, 0);
    const cells = columns.map((_, column) => {
      const count = row[column] ?? 0;
      return { count, share: total === 0 ? 0 : count / total, isRight: column === index };
    });
    return { label, cells, total };
  });
  return { columns, rows };
}
