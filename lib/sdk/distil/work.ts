// A distilled data set under way: what is wanted, and what is known of it.
import type { Clock } from '../../clock/index.js';
import type { TaskRows } from '../../task/index.js';
import type { Env } from '../files/files.js';
import { answersPath, type KnownAnswer } from './answer-log.js';
import type { DistilSettings } from './options.js';
import type { DistilProgress, DistilWatch } from './progress.js';
import { type Ask, planAsks, readQuestions } from './questions.js';
import { hasFailed } from './teacher.js';
import { isCut, type Verdict } from './verdict.js';

export interface DistilContext extends DistilWatch {
  /** The project's folder. */
  folder: string;
  env: Env;
  clock: Clock;
  /** The task that rows are for. */
  task?: TaskRows | undefined;
  signal?: AbortSignal | undefined;
}

/** Everything about one data set under way. */
export interface Work {
  readonly settings: DistilSettings;
  readonly context: DistilContext;
  readonly path: string;
  /** In the order of the prompts. */
  readonly asks: readonly Ask[];
  /** By their keys. */
  readonly wanted: ReadonlyMap<string, readonly Ask[]>;
  readonly verdicts: Map<Ask, Verdict>;
  readonly progress: DistilProgress;
  report(change: Partial<DistilProgress>): void;
}

export async function planWork(settings: DistilSettings, context: DistilContext): Promise<Work> {
  const { teacher, prompts, maxTokens, prices } = settings;
  const asks = planAsks(await readQuestions(prompts, context), settings);
  const wanted = new Map<string, Ask[]>();
  for (const ask of asks) {
    const same = wanted.get(ask.key);
    if (same) same.push(ask);
    else wanted.set(ask.key, [ask]);
  }
  const progress: DistilProgress = {
    ...{ stage: 'reading', teacher: teacher.model, total: asks.length, answered: 0, known: 0, maxTokens },
    ...{ leftOut: {}, tokens: { input: 0, output: 0 }, dollars: prices ? 0 : null, estimate: null },
  };
  return {
    ...{ settings, context, asks, wanted, progress, verdicts: new Map() },
    path: answersPath(context.folder, teacher),
    report: change => context.onDistil?.({ ...Object.assign(progress, change) }),
  };
}

/** An answer that was cut off is asked for again once it may be longer, and one that failed in any case. */
export function isUsable(answer: KnownAnswer | undefined, { maxTokens }: DistilSettings): boolean {
  if (answer === undefined || hasFailed(answer)) return false;
  return !isCut(answer) || answer.maxTokens >= maxTokens;
}

export function findMissing({ wanted, settings }: Work, known: ReadonlyMap<string, KnownAnswer>): Ask[] {
  return [...wanted].flatMap(([key, [first]]) => (isUsable(known.get(key), settings) ? [] : [first!]));
}
