// An evaluation on a line of a list, and as the title of a page: what was evaluated, how well, and what was decided.
import type {
  ComparedScore,
  ComparedSubject,
  Evaluation,
  EvaluationSubject,
  Gate,
} from '../../contract/index.js';
import type { Question } from '../deployment/deployment-page.js';
import { shortId, targetWords } from '../labels.js';
import type { Location } from '../tabs.js';
import { formatRelativeTime, plural } from '../text/format.js';
import { intervalText, scoreLabel, scoreValueText, subjectLabel, VERDICT_LABELS } from './figures.js';

/** The newest line of a list is the answer to "is it better?". */
export interface EvaluationLine {
  readonly id: string;
  readonly shortId: string;
  readonly age: string;
  readonly subject: string;
  /** For narrow lists: `bot: job 1a2b3c4d, step 40`. */
  readonly shortSubject: string;
  /** `held-out.jsonl, 40 rows` */
  readonly data: string;
  readonly dataName: string;
  /** `Accuracy 85.0 % (70.9 to 92.9 %)` */
  readonly score: string;
  /** `Accuracy 85.0 %` */
  readonly shortScore: string;
  /** In a word or two: what the gate decided, or else what the comparison found. */
  readonly verdict: string | null;
  readonly tone: ComparedScore['verdict'] | null;
  /** `better than Base model: svc/tiny`, after what the gate decided; null if there is neither. */
  readonly comparison: string | null;
}

export function evaluationLine(evaluation: Evaluation, now: Date): EvaluationLine {
  const { id, createdAt, subject, data, scores, comparison, gate } = evaluation;
  const main = scores[0]!;
  const compared = comparison?.scores[0];
  const found = compared ? comparedText(compared.verdict, comparison!.against) : null;
  const shortScore = `${scoreLabel(main.name)} ${scoreValueText(main.value, main.kind)}`;
  return {
    id,
    shortId: shortId(id),
    age: formatRelativeTime(createdAt, now),
    subject: subjectLabel(subject),
    shortSubject: subjectWords(subject),
    data: `${data.name}, ${plural(data.rows, 'row')}`,
    dataName: data.name,
    score: `${shortScore} (${intervalText(main)})`,
    shortScore,
    verdict: gate ? decisionText(gate) : compared ? VERDICT_LABELS[compared.verdict] : null,
    tone: gate ? (gate.passed ? 'better' : 'worse') : (compared?.verdict ?? null),
    comparison: [gate && decisionText(gate, failedChecks(gate)), found].filter(Boolean).join(': ') || null,
  };
}

const TRIALS = {
  dry_run: 'dry run',
  canary: 'canary',
} as const satisfies Record<NonNullable<Gate['trial']>, string>;

/** `passed`, `passed (canary)`, `refused (dry run, tests failed)`: only without brackets is it about all requests. */
function decisionText({ passed, trial }: Gate, failed: readonly string[] = []): string {
  const notes = [...(trial ? [TRIALS[trial]] : []), ...failed];
  return `${passed ? 'passed' : 'refused'}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
}

/** What else than the rows failed: a candidate may be better on these, and refused. */
function failedChecks({ checks }: Gate): string[] {
  const failed = checks.filter(({ check, outcome }) => check !== 'rows' && outcome === 'failed');
  return failed.map(({ check }) => (check === 'tests' ? 'tests failed' : 'general rows lost'));
}

/** ` (dry run)`, after what a gate's title says; empty if it was about all requests. */
export function trialSuffix({ trial }: Gate): string {
  return trial ? ` (${TRIALS[trial]})` : '';
}

function comparedText(verdict: ComparedScore['verdict'], against: ComparedSubject): string {
  const preposition = verdict === 'no_difference_found' ? 'from' : 'than';
  return `${VERDICT_LABELS[verdict]} ${preposition} ${subjectLabel(against)}`;
}

function subjectWords({ target, endpoint }: EvaluationSubject): string {
  const adapter = target.kind === 'adapter' ? target.adapter : null;
  const step = adapter?.kind === 'checkpoint' ? `, step ${adapter.step}` : '';
  const words = `${targetWords(target)}${step}`;
  return endpoint === null ? words : `${endpoint}: ${words}`;
}

/** The title of its page: `Final adapter (job 1a2b3c4d) on held-out.jsonl`. */
export function evaluationTitle({ subject, data }: Pick<Evaluation, 'subject' | 'data'>): string {
  return `${subjectLabel(subject)} on ${data.name}`;
}

/** The list that it is in: its job's, or else the tab of what was asked. */
export function evaluationList({ subject: { target, endpoint } }: Pick<Evaluation, 'subject'>): {
  readonly label: string;
  readonly location: Location;
} {
  if (target.kind === 'adapter') {
    const { jobId } = target.adapter;
    return {
      label: `Evaluations of job ${shortId(jobId)}`,
      location: { tab: 'jobs', id: jobId, evaluations: true },
    };
  }
  if (endpoint === null) return { label: 'Jobs', location: { tab: 'jobs', id: null } };
  return { label: 'Endpoints', location: { tab: 'endpoints', id: null } };
}

/** Asked before an evaluation is deleted. */
export function deleteEvaluationQuestion(): Question {
  return {
    title: 'Delete this evaluation?',
    consequence: 'Its scores and answers cannot be restored.',
    action: 'Delete',
  };
}

export const NO_EVALUATIONS = 'No evaluations yet';

/** How to make the first one. */
export function evaluateHint(word: string): string {
  return `svc eval ${word} --on rows.jsonl --against base`;
}
