// What a failed test says: what was asked, answered and expected, and the worst rows.
import {
  changedText,
  differenceInterval,
  differenceText,
  formatNumber,
  intervalText,
  plural,
  pText,
  scoreLabel,
  scoreValueText,
} from '../console/index.js';
import type { ComparedScore, EvaluationInput, EvaluationRow, EvaluationScore } from '../contract/index.js';
import type { Answer } from './ask.js';

export type Line = readonly [label: string, text: string];

const LONGEST = 600;
/** Of a long conversation, the last ones. */
const MOST_MESSAGES = 4;
const MOST_ROWS = 5;

export function answerFailure(said: string, answer: Answer, expected: readonly Line[]): string {
  const asked = answer.messages
    .slice(-MOST_MESSAGES)
    .map(
      ({ role, content }): Line => [
        role === 'user' ? 'asked' : role,
        typeof content === 'string' ? content : JSON.stringify(content),
      ],
    );
  const left = answer.messages.length - asked.length;
  return [
    said,
    '',
    ...(left > 0 ? [`  (${plural(left, 'message')} before)`] : []),
    ...columns([...asked, ...expected, ['answered', answerText(answer)], ['by', answer.model]]),
  ].join('\n');
}

/** With the tools that it calls. */
export function answerText({ text, toolCalls }: Pick<Answer, 'text' | 'toolCalls'>): string {
  const calls = toolCalls.map(({ name, arguments: given }) => `${name}(${valueText(given)})`);
  return [...(text || calls.length === 0 ? [text || '(nothing)'] : []), ...calls].join('\n');
}

export function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value instanceof RegExp ? String(value) : (JSON.stringify(value) ?? String(value));
}

type Compared = EvaluationInput & { readonly comparison: NonNullable<EvaluationInput['comparison']> };

export function scoreFailure(said: string, evaluation: EvaluationInput, atLeast: number): string {
  const score = evaluation.scores[0]!;
  const { name, kind, rows, low, high } = score;
  const includes = low <= atLeast && atLeast <= high;
  const told = includes
    ? `The interval includes ${scoreValueText(atLeast, kind)}: on other rows, it may reach it or not.`
    : `The whole interval is ${high < atLeast ? 'below' : 'above'} ${scoreValueText(atLeast, kind)}.`;
  return [
    said,
    '',
    ...columns([
      [scoreLabel(name), `${scoreOf(score)} on ${plural(rows, 'row')}, 95 % interval ${intervalText(score)}`],
      ['', told],
      ...failedLine(evaluation),
    ]),
    ...rowBlocks(
      'Worst rows',
      evaluation.rows.filter(row => !isPerfect(row, score)),
      null,
    ),
  ].join('\n');
}

export function regressionFailure(said: string, evaluation: Compared, other: string): string {
  const [compared] = evaluation.comparison.scores as [ComparedScore];
  const { score, kind, value, againstValue, rows, p } = compared;
  return [
    said,
    '',
    ...columns([
      [
        scoreLabel(score),
        `${scoreValueText(value, kind)}, against ${scoreValueText(againstValue, kind)}, on ${plural(rows, 'row')}`,
      ],
      [
        'Difference',
        `${differenceText(compared.difference, kind)}, 95 % interval ${differenceInterval(compared)} (p ${pText(p)})`,
      ],
      ['Rows', changedText(compared)],
      ['', findableText(compared)],
      ...failedLine(evaluation),
    ]),
    ...rowBlocks(
      `Rows that lost most against ${other}`,
      evaluation.rows.filter(row => hasLost(row, compared)),
      compared,
    ),
  ].join('\n');
}

/** What a comparison of this many rows can tell. */
export function findableText({ kind, rows, findable }: ComparedScore): string {
  const least = differenceText(findable, kind).replace('+', '');
  return `${plural(rows, 'row')}, of which so many change, show a difference of ${least} in 85 % of comparisons.`;
}

const scoreOf = ({ value, kind }: EvaluationScore) => scoreValueText(value, kind);

function failedLine({ failed: count }: EvaluationInput): Line[] {
  return count === 0 ? [] : [['', `${plural(count, 'row')} could not be answered, and count as wrong.`]];
}

function isPerfect({ scores }: EvaluationRow, { name, kind }: EvaluationScore): boolean {
  return scores[name] === (kind === 'distance' ? 0 : 1);
}

/** A row without the score has lost it. */
function hasLost({ scores, against }: EvaluationRow, { score, kind }: ComparedScore): boolean {
  const [one, other] = [scores[score], against?.scores[score]];
  if (other === undefined) return false;
  return one === undefined || (kind === 'distance' ? one > other : one < other);
}

function rowBlocks(title: string, all: readonly EvaluationRow[], compared: ComparedScore | null): string[] {
  if (all.length === 0) return [];
  const rows = all.slice(0, MOST_ROWS);
  const count = all.length > rows.length ? `, ${rows.length} of ${all.length}` : '';
  return ['', `  ${title}${count}:`, ...rows.flatMap(row => ['', ...rowBlock(row, compared)])];
}

function rowBlock(row: EvaluationRow, compared: ComparedScore | null): string[] {
  return columns([
    [`row ${row.row}`, row.input],
    rewardOf(row) ?? ['expected', row.expected],
    ['answered', row.answer ?? `(no answer: ${row.error ?? 'unknown'})`],
    ...(compared && row.against ? [['against', row.against.answer ?? '(no answer)'] as const] : []),
  ]);
}

/** Of a prompt without an expectation. */
function rewardOf({ expected, scores }: EvaluationRow): Line | null {
  return expected === '' && scores.reward !== undefined ? ['reward', formatNumber(scores.reward)] : null;
}

/** Labels in a column of their own; texts of several lines stay in theirs. */
function columns(lines: readonly Line[]): string[] {
  const width = Math.max(...lines.map(([label]) => label.length));
  return lines.flatMap(([label, text]) =>
    clip(text)
      .split('\n')
      .map((line, index) => `  ${(index === 0 ? label : '').padEnd(width)}  ${line}`.trimEnd()),
  );
}

function clip(text: string): string {
  if (text.length <= LONGEST) return text;
  return `${text.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, '')}… (${text.length} characters)`;
}
