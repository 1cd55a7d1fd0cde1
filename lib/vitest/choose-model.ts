// From what a block of tests says to the model that it asks.
import { subjectLabel } from '../console/index.js';
import type { EvaluationSubject, TaskDescription } from '../contract/index.js';
import { type Env, openProgramSession, resolveTarget, type Session, USUAL_TOKENS } from '../sdk/index.js';
import type { Task } from '../task/index.js';
import { TARGET_VARIABLE } from './override.js';

/**
 * `latest` is the newest completed job of the project, `latest:NAME` that of one trainer. An ID may be shortened. Without a step,
 * a job answers with its final adapter, or with its last checkpoint while it runs.
 */
export type JobChoice = 'latest' | `latest:${string}` | (string & {}) | { job: string; step: number };

export interface ModelChoice {
  job?: JobChoice;
  /** The slug of an endpoint, to ask what it serves. */
  endpoint?: string;
  /** The base model itself. */
  base?: boolean;
}

/** A model that is ready to be asked. */
export interface TestedModel {
  readonly session: Session;
  readonly subject: EvaluationSubject;
  /** As failures name it. */
  readonly label: string;
  /** The task of the program, if the tests have one. */
  readonly own: Task | null;
  /** The task that is known: the program's or that of the job. */
  readonly task: TaskDescription | null;
  /** What `against: 'served'` compares with, unless it says so itself. */
  readonly served: string;
  readonly maxTokens: number;
}

interface OpenOptions extends ModelChoice {
  task?: Task | undefined;
  cwd?: string | undefined;
  maxTokens?: number | undefined;
}

/** Starts the local cloud if it is needed. Throws an `ApiError` if there is no such model. */
export async function openModel(name: string, options: OpenOptions, env: Env): Promise<TestedModel> {
  const { task: own = null, cwd, maxTokens = USUAL_TOKENS, endpoint } = options;
  const session = await openProgramSession(cwd, env);
  const { subject, task } = await resolveTarget(session, env[TARGET_VARIABLE] || toWord(options));
  const description = own?.description ?? task;
  const label = subjectLabel(subject);
  return { session, subject, label, own, task: description, served: endpoint ?? name, maxTokens };
}

/** The same tests of another model, to compare with. */
export async function openOther(model: TestedModel, choice: ModelChoice): Promise<TestedModel> {
  const { subject } = await resolveTarget(model.session, toWord(choice));
  return { ...model, subject, label: subjectLabel(subject) };
}

/** The word for a model, as the command line takes it. Throws a `TypeError` unless it is one. */
export function toWord({ job, endpoint, base }: ModelChoice): string {
  const chosen = [job !== undefined, endpoint !== undefined, base === true].filter(Boolean).length;
  if (chosen > 1) throw new TypeError('A model is one of `job`, `endpoint` and `base`, not several.');
  if (base) return 'base';
  if (endpoint !== undefined) return endpoint;
  if (typeof job === 'object') return `${job.job}:checkpoint:${job.step}`;
  return job ?? 'latest';
}
