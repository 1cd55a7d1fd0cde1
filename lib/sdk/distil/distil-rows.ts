// Rows of a teacher's answers: asks for those that are not known yet, several at a time, and writes those that are kept, in the
// order of the prompts. Each answer is on disk before it counts.
import { join } from 'node:path';
import { ApiError } from '../../contract/index.js';
import { eachAtOnce, writeSynced } from '../../system/index.js';
import { withFileLock } from '../files/file-lock.js';
import { explainTemporary, inTemporaryFolder } from '../files/temporary.js';
import { type AnswerLog, type KnownAnswer, nameOf, openAnswerLog, readAnswers } from './answer-log.js';
import { type DistilledData, type DistilSettings, toSettings } from './options.js';
import { notAnswered, nothingLeft, withKept } from './progress.js';
import type { Ask } from './questions.js';
import { addTokens, estimate, priceOf } from './spending.js';
import { openTeacher } from './teacher.js';
import { toVerdict } from './verdict.js';
import { type DistilContext, findMissing, isUsable, planWork, type Work } from './work.js';

/** Runs `use` on a file of the rows, which is deleted afterward. */
export async function withDistilledRows<Result>(
  { type, ...options }: DistilledData,
  context: DistilContext,
  use: (path: string, name: string) => Promise<Result>,
): Promise<Result> {
  const settings = toSettings(options);
  const rows = await distilRows(settings, context);
  return inTemporaryFolder('svc-distil', async temporary => {
    const path = join(temporary, 'rows.jsonl');
    await explainTemporary(writeSynced(path, toLines(rows), 0o600));
    return use(path, `answers-of-${nameOf(settings.teacher.model)}.jsonl`);
  });
}

function* toLines(rows: readonly object[]): Generator<Uint8Array> {
  for (const row of rows) yield Buffer.from(`${JSON.stringify(row)}\n`);
}

async function distilRows(settings: DistilSettings, context: DistilContext): Promise<object[]> {
  const work = await planWork(settings, context);
  const { asks, path, wanted, verdicts, progress } = work;
  const { known } = await readAnswers(path, wanted);
  const isComplete = findMissing(work, known).length === 0;
  if (!isComplete && context.mayAsk === false) {
    const answered = asks.filter(({ key }) => isUsable(known.get(key), settings)).length;
    throw notAnswered(settings, { ...progress, answered });
  }
  await judgeKnown(work, known);
  if (!isComplete)
    await alone(work, () => askMissing(work)).catch(error => Promise.reject(withKept(error, progress)));
  const rows = asks.flatMap(ask => {
    const verdict = verdicts.get(ask)!;
    return 'row' in verdict ? [verdict.row] : [];
  });
  if (rows.length === 0) throw nothingLeft(progress);
  work.report({ stage: 'done' });
  return rows;
}

async function judgeKnown(work: Work, known: ReadonlyMap<string, KnownAnswer>): Promise<void> {
  const { wanted, settings, progress, verdicts } = work;
  const { stop } = work.context;
  const answers = [...wanted].flatMap(([key, [first]]) => {
    const answer = known.get(key);
    return answer && isUsable(answer, settings) && !verdicts.has(first!) ? [answer] : [];
  });
  await eachAtOnce(untilStopped(answers, stop), settings.concurrency, answer => judge(work, answer));
  stop?.throwIfAborted();
  progress.known = progress.answered;
}

/** Decides what becomes of an answer, for all prompts that are the same. */
async function judge({ wanted, settings, context, verdicts, progress }: Work, answer: KnownAnswer) {
  for (const ask of wanted.get(answer.key)!) {
    context.signal?.throwIfAborted();
    const verdict = await toVerdict(ask, answer, settings, context.task);
    verdicts.set(ask, verdict);
    progress.answered++;
    progress.refusal ??= answer.refusal;
    if ('leftOut' in verdict)
      progress.leftOut[verdict.leftOut] = (progress.leftOut[verdict.leftOut] ?? 0) + 1;
  }
}

async function askMissing(work: Work): Promise<void> {
  const { path, wanted, settings } = work;
  const log = await openAnswerLog(path, wanted);
  // Another process may have asked meanwhile.
  await judgeKnown(work, log.known);
  const missing = findMissing(work, log.known);
  const known = [...log.known.values()].map(({ key, tokens }) => ({ ask: wanted.get(key)![0]!, tokens }));
  work.report({ stage: 'asking', estimate: estimate(missing, known, settings) });
  await askAll(missing, log, { ...work, judge: answer => judge(work, answer) });
}

/** Other processes seldom ask, so that this is said only if it takes a while. */
const SOON_MS = 500;

/** Only one process at a time asks a teacher for a project. */
async function alone({ path, context, report }: Work, ask: () => Promise<void>): Promise<void> {
  const { clock, signal, stop } = context;
  const waiting = clock.after(SOON_MS, () => report({ stage: 'waiting' }));
  const leave = AbortSignal.any([signal, stop].filter(given => given !== undefined));
  const work = async () => {
    waiting.stop();
    leave.throwIfAborted();
    await ask();
  };
  await withFileLock(`${path}.lock`, work, { signal: leave }).finally(waiting.stop);
}

/** So many refusals before any answer are about the request, not about the prompts. */
const MOST_REFUSALS = 5;

type Asking = Pick<Work, 'settings' | 'context' | 'progress' | 'report'> & {
  judge(answer: KnownAnswer): Promise<void>;
};

async function askAll(
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
function* untilStopped<Item>(items: readonly Item[], stop: AbortSignal | undefined): Generator<Item> {
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
