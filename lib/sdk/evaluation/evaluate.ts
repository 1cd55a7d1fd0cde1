// Evaluates a model on rows: resolves what to ask, asks it and what it is compared with, scores the answers, and has the cloud
// keep the result.
import { join } from 'node:path';
import {
  ApiError,
  type Evaluation,
  type EvaluationInput,
  type EvaluationSubject,
  readThinking,
  type TaskDescription,
} from '../../contract/index.js';
import {
  buildEvaluation,
  createScorer,
  inferTask,
  type RowAnswer,
  type ScoredTask,
} from '../../evaluation/index.js';
import type { Session } from '../session/session.js';
import { type AnswerFile, openAnswerFile } from './answer-file.js';
import { type AnswersOfFile, matchAnswers } from './answers-of-file.js';
import { answerSchema, askRows, USUAL_TOKENS } from './ask-rows.js';
import { type AskableRow, type AskableRows, type RowSource, readAskableRows } from './read-rows.js';

/** What is asked, and its task if it has one. */
export interface EvaluationTarget {
  readonly subject: EvaluationSubject;
  readonly task: TaskDescription | null;
}

/** How a trainer's reward scores the answers to rows that have none. */
export interface Rewarding {
  /** What answers are constrained to, and their longest. */
  readonly schema: Readonly<Record<string, unknown>> | null;
  readonly maxTokens: number;
  /** With the scores of each. Throws if too many have no reward. */
  reward(
    rows: readonly AskableRow[],
    answers: readonly RowAnswer[],
    signal: AbortSignal | undefined,
  ): Promise<RowAnswer[]>;
}

export interface EvaluateOptions {
  target: EvaluationTarget;
  /** What to compare it with, on the same rows. Answers of a file are not asked for again. */
  against?: EvaluationTarget | AnswersOfFile | undefined;
  data: RowSource;
  /** Only the first rows. */
  limit?: number | undefined;
  /** The score that counts, instead of the task's main one. */
  score?: string | undefined;
  /** How answers are scored, instead of as the target's task or the rows suggest. */
  scored?: ScoredTask | undefined;
  /**
   * Scores the answers to rows that have none, which are refused without it. Called only for such rows; null says that there is no
   * reward.
   */
  reward?: (() => Promise<Rewarding | null>) | undefined;
  /** Of an answer. Default: 512, or what a reward's trainer says. */
  maxTokens?: number | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: EvaluationProgress) => void) | undefined;
}

export interface EvaluationProgress {
  /** Answers so far, of all that is asked. */
  done: number;
  total: number;
}

/** Answers that were scored, and not stored yet. */
export interface Measurement {
  readonly input: EvaluationInput;
  /** Deletes the answers that a repetition would resume from. */
  forget(): Promise<void>;
}

/** Resumes if an earlier one was interrupted within a day. */
export async function evaluate(session: Session, options: EvaluateOptions): Promise<Evaluation> {
  return storeMeasurement(session, await measure(session, options), options);
}

export async function storeMeasurement(
  session: Session,
  { input, forget }: Measurement,
  { signal }: Pick<EvaluateOptions, 'signal'>,
): Promise<Evaluation> {
  const cloud = await session.projectClient();
  const { evaluation } = await cloud.createEvaluation(input, { signal });
  await forget();
  return evaluation;
}

/** Asks and scores, and stores nothing. */
export async function measure(session: Session, options: EvaluateOptions): Promise<Measurement> {
  const { target, against, limit, score, signal, onProgress = () => {} } = options;
  const { folder, home } = session;
  const [stored, opponent] = against && 'lines' in against ? [against, undefined] : [undefined, against];
  const task = target.task ?? opponent?.task ?? null;
  const cacheFolder = join(home, 'cache', 'data');
  const takesPrompts = options.reward !== undefined;
  const data = await readAskableRows(options.data, {
    folder,
    cacheFolder,
    task,
    takesPrompts,
    limit,
    signal,
  });
  const { rows, name, digest } = data;
  const rewarding = rows[0]!.item ? ((await options.reward!()) ?? refusePrompts(name)) : null;
  const total = rows.length * (opponent ? 2 : 1);
  const report = (before: number) => (done: number) => onProgress({ done: before + done, total });
  const known = options.scored ?? task ?? inferTask(rows);
  // Known before anything is asked, but for the parts of rewards.
  if (!rewarding) requireScore(known, score);
  const given = stored && matchAnswers(stored, data, { isLimited: limit !== undefined });
  const schema = rewarding ? rewarding.schema : answerSchema(task);
  const maxTokens = options.maxTokens ?? rewarding?.maxTokens ?? USUAL_TOKENS;
  const enableThinking = opponent && (await thinkingBeside(session, [target.subject, opponent.subject]));
  const asking = { session, data, schema, maxTokens, enableThinking, signal };
  const one = await ask({ ...asking, subject: target.subject, onAnswers: report(0) });
  const other =
    opponent && (await ask({ ...asking, subject: opponent.subject, onAnswers: report(rows.length) }));
  const reward = async (answers: RowAnswer[]) =>
    rewarding ? rewarding.reward(rows, answers, signal) : answers;
  const answers = await reward(one.answers);
  const others = against && (await reward(given ?? other!.answers));
  const scored = rewarding ? toRewardTask([...answers, ...(others ?? [])]) : known;
  if (rewarding) requireScore(scored, score);
  const input = buildEvaluation({
    data: { name, digest, rows: rows.length },
    taskName: task?.name ?? null,
    task: scored,
    rows,
    score,
    candidate: { subject: target.subject, answers },
    against: against && { subject: against.subject, answers: others! },
  });
  return {
    input,
    forget: async () => void (await Promise.all([one.file.remove(), other?.file.remove()])),
  };
}

/** With the parts that any reward has. */
export function toRewardTask(answers: readonly RowAnswer[]): ScoredTask {
  const names = new Set(answers.flatMap(({ rewards = {} }) => Object.keys(rewards)));
  const parts = [...names].filter(name => name.startsWith(PART)).map(name => name.slice(PART.length));
  return { kind: 'reward', parts };
}

const PART = 'reward.';

function refusePrompts(name: string): never {
  throw new ApiError(
    'dataset_invalid',
    `${name} has rows without answers. Only the reward of a trainer with the method grpo scores answers to them, and this project has none.`,
    { param: 'data' },
  );
}

/** What an adapter was trained with, for a base model that is compared with it, and so asked in the same way. */
async function thinkingBeside(
  session: Session,
  subjects: readonly EvaluationSubject[],
): Promise<boolean | undefined> {
  const jobIds = subjects.flatMap(({ target }) => (target.kind === 'adapter' ? [target.adapter.jobId] : []));
  if (jobIds.length !== 1) return undefined;
  const { job } = await (await session.projectClient()).getJob(jobIds[0]!);
  return readThinking(job.config);
}

interface Asking {
  session: Session;
  data: AskableRows;
  schema: Readonly<Record<string, unknown>> | null;
  maxTokens: number;
  /** Of a base model. */
  enableThinking: boolean | undefined;
  subject: EvaluationSubject;
  signal: AbortSignal | undefined;
  onAnswers(count: number): void;
}

async function ask(asking: Asking): Promise<{ answers: RowAnswer[]; file: AnswerFile }> {
  const { session, data, schema, maxTokens, subject, signal, onAnswers } = asking;
  const { folder, clock } = session;
  const { target } = subject;
  // An endpoint is measured as it serves its callers.
  const isPlain = target.kind === 'base_model' && subject.endpoint === null;
  const enableThinking = isPlain ? asking.enableThinking : undefined;
  const own = enableThinking === undefined ? [] : [{ enableThinking }];
  const file = await openAnswerFile(folder, [target, data.digest, schema, maxTokens, ...own], clock);
  const cloud = () => session.projectClient();
  const answers = await askRows(data.rows, {
    ...{ target, schema, maxTokens, enableThinking, cloud, file, clock, signal, onAnswers },
  });
  return { answers, file };
}

/** Throws an `ApiError` for a score that the task does not have. */
export function requireScore(task: ScoredTask, score: string | undefined): void {
  const known = createScorer(task).names.map(({ name }) => name);
  if (score === undefined || known.includes(score)) return;
  throw new ApiError(
    'invalid_value',
    `There is no score "${score}" for these rows. There are: ${known.join(', ')}.`,
    { param: 'score' },
  );
}
