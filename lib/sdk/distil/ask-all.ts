// Asks a teacher for answers, several at a time. Each is on disk before it counts.
import { ApiError } from '../../contract/index.js';
import { eachAtOnce } from '../../system/index.js';
import type { AnswerLog, KnownAnswer } from './answer-log.js';
import type { Ask } from './questions.js';
import { addTokens, priceOf } from './spending.js';
import { openTeacher } from './teacher.js';
import type { Work } from './work.js';

/** So many refusals before any answer are about the request, not about the prompts. */
const MOST_REFUSALS = 5;

type Asking = Pick<Work, 'settings' | 'context' | 'progress' | 'report'> & {
  judge(answer: KnownAnswer): Promise<void>;
};

export async function askAll(
  missing: readonly Ask[],
  log: AnswerLog,
  { settings, context, progress, report, judge }: Asking,
): Promise<void> {
  const { env, clock, stop, signal = new AbortController().signal } = context;
  const onWait = (problem: { why: string; ms: number }) => report({ problem });
  const teacher = openTeacher(settings, { env, clock, signal, leave: stop, onWait });
  /** Refusals before the first answer. */
  let refused: KnownAnswer[] | null = [...log.known.values()].some(({ refusal }) => refusal === undefined)
    ? null
    : [];

  async function keepAnswer(answer: KnownAnswer): Promise<void> {
    await log.add(answer);
    await judge(answer);
    const tokens = addTokens(progress.tokens, answer.tokens);
    report({ tokens, dollars: priceOf(tokens, settings.prices), problem: undefined });
  }

  await eachAtOnce(untilStopped(missing, stop), settings.concurrency, async ask => {
    const answer = await teacher.ask(ask);
    if (refused && answer.refusal !== undefined) {
      refused.push(answer);
      if (refused.length >= MOST_REFUSALS) throw refusedAll(refused);
      return;
    }
    const held = refused ?? [];
    refused = null;
    for (const known of [...held, answer]) await keepAnswer(known);
  });
  stop?.throwIfAborted();
  if (refused?.length) throw refusedAll(refused);
}

/** The others are left out once it is aborted. */
export function* untilStopped<Item>(items: readonly Item[], stop: AbortSignal | undefined): Generator<Item> {
  for (const item of items) {
    if (stop?.aborted) return;
    yield item;
  }
}

function refusedAll([first]: readonly KnownAnswer[]): ApiError {
  return new ApiError('dataset_invalid', `The teacher refuses what it is asked. ${first!.refusal}`, {
    param: 'dataset.teacher',
  });
}
