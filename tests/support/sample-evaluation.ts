// Evaluations as fake servers hold them.
import {
  ApiError,
  type ComparedScore,
  type Evaluation,
  type EvaluationInput,
  type EvaluationRow,
  type EvaluationRows,
  type Gate,
} from '../../lib/contract/index.js';
import { sampleJob } from './samples.js';

export interface KeptEvaluation {
  evaluation: Evaluation;
  rows: EvaluationRow[];
}

export const SAMPLE_EVALUATION_ID = '5e2b3c4d-0000-4000-8000-000000000005';

const target = { kind: 'adapter', adapter: { kind: 'final', jobId: sampleJob().id } } as const;
const base = { kind: 'base_model', baseModel: 'svc/tiny' } as const;

const cost = (median: number, tokens: number) => ({
  latencyMs: { median, p95: median * 2 },
  promptTokens: 2400,
  completionTokens: tokens,
});

/** Labels, compared with the base model. */
function sampleEvaluation(fields: Partial<Evaluation> = {}): Evaluation {
  return {
    id: SAMPLE_EVALUATION_ID,
    createdAt: '2026-03-01T10:00:00.000Z',
    subject: { target, endpoint: null },
    data: { name: 'held-out.jsonl', digest: 'd'.repeat(64), rows: 40 },
    task: { name: 'triage', kind: 'labels' },
    scores: [
      { name: 'accuracy', kind: 'share', value: 0.85, low: 0.709, high: 0.929, rows: 40 },
      { name: 'macroF1', kind: 'mean', value: 0.84, low: 0.7, high: 0.94, rows: 40 },
      { name: 'valid', kind: 'share', value: 0.975, low: 0.871, high: 0.996, rows: 40 },
    ],
    confusion: {
      labels: ['billing', 'delivery', 'other'],
      counts: [
        [12, 1, 0, 0],
        [2, 14, 1, 0],
        [1, 0, 8, 1],
      ],
    },
    cost: cost(120, 160),
    failed: 0,
    comparison: {
      against: { target: base, endpoint: null },
      scores: [
        {
          score: 'accuracy',
          kind: 'share',
          rows: 40,
          value: 0.85,
          againstValue: 0.6,
          difference: 0.25,
          low: 0.09,
          high: 0.41,
          p: 0.0063,
          verdict: 'better',
          findable: 0.21,
          changed: { better: 12, worse: 2, same: 26 },
        },
      ],
      cost: cost(180, 480),
    },
    kept: { rows: 3, changed: 2 },
    ...fields,
  };
}

/** What `svc ship` would have decided of it: refused, for what it has forgotten. */
export function sampleGate(fields: Partial<Gate> = {}): Gate {
  const compared: ComparedScore = {
    score: 'f1',
    kind: 'mean',
    ...{ rows: 48, value: 0.1, againstValue: 0.46, difference: -0.36, low: -0.5, high: -0.22 },
    ...{ p: 0.0002, findable: 0.25, changed: { better: 1, worse: 26, same: 21 } },
    verdict: 'worse',
  };
  return {
    passed: false,
    movesFollowers: true,
    margin: null,
    checks: [
      { check: 'tests', outcome: 'skipped', note: 'The project has no tests for weights.' },
      { check: 'rows', outcome: 'passed' },
      { check: 'general', outcome: 'failed', compared, evaluationId: SAMPLE_EVALUATION_ID },
    ],
    ...fields,
  };
}

export function sampleEvaluationRows(): EvaluationRow[] {
  const row = (number: number, expected: string, answer: string, other: string): EvaluationRow => ({
    row: number,
    input: `Ticket ${number}: my parcel has not arrived.`,
    expected,
    answer,
    scores: { accuracy: Number(answer === expected), valid: 1 },
    latencyMs: 100 + number,
    completionTokens: 3,
    against: {
      answer: other,
      scores: { accuracy: Number(other === expected), valid: 1 },
      latencyMs: 150,
      completionTokens: 9,
    },
  });
  return [
    row(7, 'delivery', 'billing', 'delivery'),
    row(1, 'delivery', 'delivery', 'delivery'),
    row(4, 'other', 'other', 'I am not sure'),
  ];
}

export function sampleKeptEvaluation(fields: Partial<Evaluation> = {}): KeptEvaluation {
  return { evaluation: sampleEvaluation(fields), rows: sampleEvaluationRows() };
}

/** What a client would send to have it kept. */
export function sampleEvaluationInput(fields: Partial<EvaluationInput> = {}): EvaluationInput {
  const { subject, data, task, scores, confusion, cost, failed, comparison } = sampleEvaluation();
  return {
    ...{ subject, data, task, scores, cost, failed },
    confusion: confusion ?? undefined,
    comparison: comparison ?? undefined,
    rows: sampleEvaluationRows(),
    ...fields,
  };
}

export function listKeptEvaluations(
  all: readonly KeptEvaluation[],
  { jobId, endpoint }: { jobId?: string | undefined; endpoint?: string | undefined },
): { evaluations: Evaluation[] } {
  const evaluations = all.map(({ evaluation }) => evaluation);
  return {
    evaluations: evaluations.filter(
      ({ subject }) =>
        (jobId === undefined ||
          (subject.target.kind === 'adapter' && subject.target.adapter.jobId === jobId)) &&
        (endpoint === undefined || subject.endpoint === endpoint),
    ),
  };
}

export function findKeptEvaluation(all: readonly KeptEvaluation[], id: string): KeptEvaluation {
  const found = all.find(({ evaluation }) => evaluation.id === id);
  if (!found) throw new ApiError('evaluation_not_found', `There is no evaluation ${id} in this project.`);
  return found;
}

export function deleteKeptEvaluation(all: KeptEvaluation[], id: string): { evaluation: Evaluation } {
  const found = findKeptEvaluation(all, id);
  all.splice(all.indexOf(found), 1);
  return { evaluation: found.evaluation };
}

interface RowQuery {
  changed?: boolean | 'true' | undefined;
  limit?: string | number | undefined;
  cursor?: string | undefined;
}

/** A cursor is the index of the next one. */
export function listKeptRows(
  { rows }: KeptEvaluation,
  { changed, limit = 50, cursor = '0' }: RowQuery,
): EvaluationRows {
  const wanted = changed ? rows.filter(({ answer, against }) => against && against.answer !== answer) : rows;
  const end = Number(cursor) + Number(limit);
  return {
    rows: wanted.slice(Number(cursor), end),
    nextCursor: end < wanted.length ? String(end) : null,
  };
}

export function keepEvaluation(all: KeptEvaluation[], { rows, ...fields }: EvaluationInput): Evaluation {
  const { id, createdAt } = sampleEvaluation();
  const changed = rows.filter(({ answer, against }) => against && against.answer !== answer).length;
  const kept = { rows: rows.length, changed };
  const evaluation = {
    comparison: null,
    ...fields,
    id: `${id.slice(0, -2)}${10 + all.length}`,
    createdAt,
    kept,
  };
  all.unshift({ evaluation: evaluation as Evaluation, rows: rows as EvaluationRow[] });
  return evaluation as Evaluation;
}
