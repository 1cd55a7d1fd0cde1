// From rows and answers to an evaluation as the cloud keeps it: scores, the comparison, the cost, and the rows worth reading.
import {
  type ComparedSubject,
  cutText,
  type EvaluationCost,
  type EvaluationInput,
  type EvaluationRow,
  type EvaluationSubject,
  LONGEST_ROW_TEXT,
  MOST_EVALUATION_ROWS,
  MOST_MATRIX_LABELS,
} from '../contract/index.js';
import { type Call, writeCalls } from '../tool-calls/index.js';
import { compareScores, type ScorePair } from './compare-scores.js';
import type { ScoredTask } from './infer-task.js';
import { rankRows } from './rank-rows.js';
import { createScorer } from './score-answer.js';
import type { RowScores, Scorer } from './scorer.js';
import { summarizeScores } from './summarize-scores.js';

/** A row whose answer is known. */
export interface ExpectedRow {
  /** Its number in the data, from 1. */
  readonly row: number;
  /** What was asked last. */
  readonly input: string;
  /** Without the calls. */
  readonly expected: string;
  /** Of a row that offers functions. */
  readonly calls?: { readonly expected: readonly Call[]; readonly tools: readonly unknown[] } | undefined;
}

/** What a model answered to a row. */
export interface RowAnswer {
  /** Null if an error prevented it. Without the calls. */
  readonly answer: string | null;
  readonly calls?: readonly Call[] | undefined;
  /** Its scores, where they are rewards. */
  readonly rewards?: RowScores | undefined;
  readonly error?: string | undefined;
  readonly latencyMs?: number | undefined;
  readonly promptTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
}

interface Candidate<Subject extends ComparedSubject = ComparedSubject> {
  readonly subject: Subject;
  /** In the order of the rows. */
  readonly answers: readonly RowAnswer[];
}

export interface Measured {
  readonly data: EvaluationInput['data'];
  readonly taskName: string | null;
  readonly task: ScoredTask;
  readonly rows: readonly ExpectedRow[];
  readonly candidate: Candidate<EvaluationSubject>;
  /** What it is compared with. */
  readonly against?: Candidate | undefined;
  /** The main score, one of the task's. Default: the first one. */
  readonly score?: string | undefined;
}

export function buildEvaluation(measured: Measured): EvaluationInput {
  const { data, task, taskName, rows, candidate, against, score } = measured;
  const scorer = createScorer(task);
  const scored = scoreAnswers(scorer, rows, candidate);
  const other = against && scoreAnswers(scorer, rows, against);
  const { scores, confusion } = summarizeScores(
    scorer,
    rows.map(({ expected }, index) => ({ expected, ...scored[index]! })),
  );
  const first = firstWith(score);
  const compared = (other ? compareAll(scorer, scored, other) : [])
    .filter(({ rows: count }) => count > 0)
    .sort(first(({ score: name }) => name));
  // No other score decides in place of the chosen one.
  const isDecided = compared.length > 0 && (score === undefined || compared[0]!.score === score);
  const comparison = against &&
    isDecided && { against: against.subject as ComparedInput, scores: compared, cost: sumCost(against) };
  const isDrawn = confusion !== null && confusion.labels.length <= MOST_MATRIX_LABELS;
  const ordered = scores.toSorted(first(({ name }) => name));
  return {
    subject: candidate.subject as EvaluationInput['subject'],
    data,
    task: { name: taskName, kind: scorer.kind },
    scores: ordered,
    ...(isDrawn && {
      confusion: { labels: [...confusion.labels], counts: confusion.counts.map(row => [...row]) },
    }),
    cost: sumCost(candidate),
    failed: candidate.answers.filter(({ answer }) => answer === null).length,
    ...(comparison && { comparison }),
    rows: fitRows(
      rankRows(
        rows.map((row, index) => ({
          ...toRow(row, candidate.answers[index]!, scored[index]!.scores),
          ...(against && { against: toAnswer(against.answers[index]!, other![index]!.scores) }),
        })),
        ordered[0]!,
        comparison ? compared[0] : undefined,
      ).slice(0, MOST_EVALUATION_ROWS),
    ),
  };
}

interface ScoredAnswer {
  readonly answer: string | null;
  readonly scores: RowScores;
}

function scoreAnswers(scorer: Scorer, rows: readonly ExpectedRow[], { answers }: Candidate): ScoredAnswer[] {
  return rows.map(({ expected, calls }, index) => {
    const { answer, calls: answered = [], rewards } = answers[index]!;
    return { answer, scores: scorer.score(expected, answer, calls && { ...calls, answered }, rewards) };
  });
}

function compareAll({ names }: Scorer, scored: readonly ScoredAnswer[], other: readonly ScoredAnswer[]) {
  return names.map(name => {
    const pairs = scored.flatMap(({ scores }, index): ScorePair[] => {
      const [one, two] = [scores[name.name], other[index]!.scores[name.name]];
      return one === undefined || two === undefined ? [] : [[one, two]];
    });
    return compareScores(name, pairs);
  });
}

/** Sorts the chosen one first, and leaves the order of the others. */
function firstWith(score: string | undefined) {
  return <Item>(nameOf: (item: Item) => string) =>
    (one: Item, other: Item) =>
      Number(nameOf(other) === score) - Number(nameOf(one) === score);
}

/** Responses have the same subjects as requests, with looser types. */
type ComparedInput = NonNullable<EvaluationInput['comparison']>['against'];

function sumCost({ answers }: Candidate): EvaluationCost {
  const latencies = answers.flatMap(({ latencyMs }) => latencyMs ?? []).sort((one, other) => one - other);
  const at = (share: number) => latencies[Math.max(0, Math.ceil(share * latencies.length) - 1)]!;
  const total = (name: 'promptTokens' | 'completionTokens') =>
    answers.reduce((sum, answer) => sum + (answer[name] ?? 0), 0);
  return {
    latencyMs: latencies.length === 0 ? null : { median: at(0.5), p95: at(0.95) },
    promptTokens: total('promptTokens'),
    completionTokens: total('completionTokens'),
  };
}

function toRow(asked: ExpectedRow, answer: RowAnswer, scores: RowScores): EvaluationRow {
  const { row, input, expected, calls } = asked;
  return { row, input, expected: withCalls(expected, calls?.expected), ...toAnswer(answer, scores) };
}

function toAnswer({ answer, calls, error, latencyMs, completionTokens }: RowAnswer, scores: RowScores) {
  return {
    answer: answer === null ? null : withCalls(answer, calls),
    scores: { ...scores },
    ...(error !== undefined && { error }),
    ...(latencyMs !== undefined && { latencyMs }),
    ...(completionTokens !== undefined && { completionTokens }),
  };
}

/** As it is read: each call on a line of its own, after the text if there is one. */
function withCalls(text: string, calls: readonly Call[] = []): string {
  return [
    ...(text.trim() === '' && calls.length > 0 ? [] : [text]),
    ...(calls.length > 0 ? [writeCalls(calls)] : []),
  ].join('\n');
}

/** A request has room for 4 MiB. */
const MOST_BYTES = 3.5 * 1024 ** 2;

/** Cuts long texts, and if that is not enough, leaves out the best rows. */
function fitRows(rows: EvaluationRow[]): EvaluationRow[] {
  const size = (list: readonly EvaluationRow[]) => new TextEncoder().encode(JSON.stringify(list)).length;
  for (const longest of [LONGEST_ROW_TEXT, 1000, 300]) {
    const cut = rows.map(row => cutTexts(row, longest));
    if (size(cut) <= MOST_BYTES) return cut;
  }
  const short = rows.map(row => cutTexts(row, 300));
  return short.slice(0, Math.floor((short.length * MOST_BYTES) / size(short)));
}

function cutTexts(row: EvaluationRow, longest: number): EvaluationRow {
  const texts = <Part extends { answer: string | null; error?: string | undefined }>(part: Part): Part => ({
    ...part,
    answer: part.answer === null ? null : cutText(part.answer, longest),
    ...(part.error !== undefined && { error: cutText(part.error, longest) }),
  });
  return {
    ...texts(row),
    input: cutText(row.input, longest),
    expected: cutText(row.expected, longest),
    ...(row.against && { against: texts(row.against) }),
  };
}
