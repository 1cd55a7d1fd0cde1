// Computes the rewards of a job in the project's own process: asks the cloud for the answers of each step, calls the project's
// function for all of them, and reports what they are worth.
import { inspect } from 'node:util';
import { createBackoff } from '../../client/index.js';
import { type Clock, within } from '../../clock/index.js';
import { ApiError, type PendingRewards, type Rewarded, type RewardReport } from '../../contract/index.js';
import { eachAtOnce } from '../../system/index.js';
import type { Session } from '../session/session.js';
import type { RewardContext, RewardFunction, TrainerOptions } from './options.js';
import { toRewardFunction } from './reward-source.js';

export interface FailedRewards {
  step: number;
  /** How many answers of the step have no reward, and how many there are. */
  failed: number;
  answers: number;
  /** Of the first one. */
  error: string;
}

export interface RewardHooks {
  /** Some answers of a step have no reward, and are left out. */
  onRewardsFailed(failure: FailedRewards): void;
}

export interface Rewarder {
  /** Resolves after `stop`. Rejects if the cloud refuses the rewards. */
  serve(): Promise<void>;
  stop(): void;
}

/** Answers rewarded at a time: functions may call others. */
export const REWARDED_AT_ONCE = 32;
export const USUAL_LIMIT_MS = 30_000;
/** The cloud limits errors. */
const LONGEST_ERROR = 1000;

/** Null if the cloud computes the rewards. */
export function createRewarder(
  { method }: Pick<TrainerOptions, 'method'>,
  jobId: string,
  session: Session,
  { onRewardsFailed = warn }: Partial<RewardHooks> = {},
): Rewarder | null {
  if (method?.type !== 'grpo') return null;
  const found = toRewardFunction(method.reward, session);
  if (!found) return null;
  const reward: RewardFunction = found;
  const { rewardTimeoutMs: limitMs = USUAL_LIMIT_MS } = method;
  const { clock } = session;
  const stopped = new AbortController();
  const { signal } = stopped;
  /** The answers that are being rewarded: the cloud is asked for others. */
  let known: string | undefined;
  /** Of the last answers: a cloud that was restarted asks for them again. */
  let last: { id: string; report: Promise<RewardReport> } | undefined;

  async function respond(pending: PendingRewards): Promise<void> {
    const { id } = pending;
    if (last?.id !== id) last = { id, report: rewardAll(pending) };
    const report = await last.report;
    await whileThere(project => project.reportRewards(jobId, report, { signal }));
    if (known === id) known = undefined;
  }

  async function rewardAll({ id, step, groups }: PendingRewards): Promise<RewardReport> {
    const rewards: Rewarded[][] = groups.map(() => []);
    const places = groups.flatMap(({ item: row, messages, answers }, group) =>
      answers.map(({ text, toolCalls = [] }, i) => ({
        text,
        context: { row, messages, toolCalls, step },
        group,
        i,
      })),
    );
    await eachAtOnce(places, REWARDED_AT_ONCE, async ({ text, context, group, i }) => {
      rewards[group]![i] = await rewardOne(reward, text, context, { limitMs, clock });
    });
    const errors = rewards.flat().flatMap(one => ('error' in one ? [one.error] : []));
    if (errors.length > 0 && !signal.aborted)
      onRewardsFailed({ step, failed: errors.length, answers: places.length, error: errors[0]! });
    return { id, rewards };
  }

  /** Asks again while the cloud is away. */
  async function whileThere<T>(
    ask: (project: Awaited<ReturnType<Session['projectClient']>>) => Promise<T>,
  ): Promise<T> {
    const backoff = createBackoff({ firstMs: 250, longestMs: 4000 });
    for (;;) {
      try {
        return await ask(await session.projectClient());
      } catch (error) {
        if (signal.aborted || !(error instanceof ApiError && passes(error))) throw error;
      }
      await clock.sleep(backoff.next(), signal);
    }
  }

  return {
    async serve() {
      const refused = new AbortController();
      const ended = AbortSignal.any([signal, refused.signal]);
      try {
        while (!ended.aborted) {
          const { pending } = await whileThere(project =>
            project.awaitRewards(jobId, { known, signal: ended }),
          );
          if (!pending || pending.id === known) continue;
          known = pending.id;
          respond(pending).catch(error => refused.abort(error));
        }
      } catch (error) {
        if (!ended.aborted) throw error;
      }
      if (!signal.aborted) throw refused.signal.reason;
    },
    stop: () => stopped.abort(),
  };
}

/** What the cloud refuses stays refused, unless it is away or busy. */
function passes({ status, code }: ApiError): boolean {
  return status >= 500 || status === 429 || code === 'cloud_unreachable';
}

/** Never rejects: an answer whose reward fails has an error instead. */
export async function rewardOne(
  reward: RewardFunction,
  text: string,
  context: Omit<RewardContext, 'signal'>,
  { limitMs, clock }: { limitMs: number; clock: Clock },
): Promise<Rewarded> {
  const late = new AbortController();
  const giveUp = () => {
    const error = new Error(`It took longer than ${limitMs / 1000} s.`);
    late.abort(error);
    throw error;
  };
  try {
    const working = (async () => reward(text, { ...context, signal: late.signal }))();
    return readReward(await within(working, limitMs, giveUp, clock));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { error: message.slice(0, LONGEST_ERROR) };
  }
}

function readReward(given: unknown): Rewarded {
  const isPlain = typeof given === 'number';
  const { reward, parts } = (isPlain ? { reward: given } : (given ?? {})) as {
    reward?: unknown;
    parts?: Record<string, unknown>;
  };
  if (!isNumber(reward)) throw new TypeError(`It returned ${describe(given)}, which is not a finite number.`);
  if (parts === undefined) return { reward };
  const wrong = Object.entries(parts).find(([, value]) => !isNumber(value));
  if (wrong)
    throw new TypeError(`Its part ${wrong[0]} is ${describe(wrong[1])}, which is not a finite number.`);
  return { reward, parts: parts as Record<string, number> };
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const describe = (value: unknown) => inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY });

/** In one line. */
export function rewardFailure({ step, failed, answers, error }: FailedRewards): string {
  return `${failed} of ${answers} answers of step ${step} got no reward: ${error}`;
}

function warn(failure: FailedRewards): void {
  process.emitWarning(rewardFailure(failure), 'RewardWarning');
}
