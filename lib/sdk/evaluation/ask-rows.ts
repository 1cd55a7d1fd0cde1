// Asks a model all rows at temperature 0, several at a time.
import { type CloudClient, createBackoff, isFinalError } from '../../client/index.js';
import type { Clock } from '../../clock/index.js';
import { ApiError, modelFields, type Target, type TaskDescription } from '../../contract/index.js';
import type { RowAnswer } from '../../evaluation/index.js';
import { readCalls } from '../../tool-calls/index.js';
import type { AnswerFile } from './answer-file.js';
import type { AskableRow } from './read-rows.js';

export interface AskOptions {
  target: Target;
  /** JSON schema that answers have to fit. */
  schema: Readonly<Record<string, unknown>> | null;
  maxTokens: number;
  /** Default: as the adapter was trained. */
  enableThinking?: boolean | undefined;
  /** Called again after a failure, since a local cloud may have restarted at another URL. */
  cloud(): Promise<CloudClient>;
  file: AnswerFile;
  clock: Clock;
  signal?: AbortSignal | undefined;
  /** Called with the number of answers so far, at the start and after each. */
  onAnswers(count: number): void;
}

/** As many as an engine answers side by side. */
export const AT_ONCE = 8;
/** Of an answer, unless more are allowed. */
export const USUAL_TOKENS = 512;
/** How long to retry without any answer before giving up. */
const PATIENCE_MS = 2 * 60_000;

/** Errors that are a row's own, such as a text that is too long, are its answer; others end it all. */
const ROW_ERRORS: ReadonlySet<string> = new Set([
  'context_length_exceeded',
  'invalid_value',
  'tool_use_failed',
]);

export async function askRows(rows: readonly AskableRow[], options: AskOptions): Promise<RowAnswer[]> {
  const { file, signal, onAnswers, clock } = options;
  const answers = new Map<number, RowAnswer>();
  for (const { row } of rows) {
    const known = file.known.get(row);
    if (known) answers.set(row, known);
  }
  onAnswers(answers.size);
  const failed = new AbortController();
  const ended = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
  const missing = rows.filter(({ row }) => !answers.has(row)).values();
  let movedAt = clock.elapsed();

  async function work(): Promise<void> {
    for (const row of missing) {
      const answer = await patiently(
        () => askRow(row, options, ended),
        ended,
        clock,
        () => movedAt,
      );
      movedAt = clock.elapsed();
      answers.set(row.row, answer);
      await file.add(row.row, answer);
      onAnswers(answers.size);
    }
  }

  const workers = Array.from({ length: AT_ONCE }, () =>
    work().catch(error => {
      failed.abort();
      throw error;
    }),
  );
  const outcomes = await Promise.allSettled(workers);
  signal?.throwIfAborted();
  const causes = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : []));
  // The others were only aborted because of it.
  if (causes.length > 0) throw causes.find(({ name }) => name !== 'AbortError') ?? causes[0];
  return rows.map(({ row }) => answers.get(row)!);
}

async function askRow(
  { messages, tools }: AskableRow,
  { target, schema, maxTokens, enableThinking, cloud, clock }: AskOptions,
  signal: AbortSignal,
): Promise<RowAnswer> {
  const client = await cloud();
  const began = clock.elapsed();
  try {
    const { choices, usage } = await client.chat(
      {
        messages: [...messages],
        ...modelFields(target),
        temperature: 0,
        maxTokens,
        ...(enableThinking !== undefined && { enableThinking }),
        ...(tools ? { tools: [...tools] } : schema && { schema }),
        stream: false,
      },
      { signal },
    );
    const { message } = choices[0] ?? {};
    const calls = readCalls(message ?? {});
    return {
      answer: message?.content ?? '',
      ...(calls.length > 0 && { calls }),
      latencyMs: Math.round(clock.elapsed() - began),
      promptTokens: usage.prompt_tokens,
      completionTokens: usage.completion_tokens,
    };
  } catch (error) {
    if (error instanceof ApiError && ROW_ERRORS.has(error.code))
      return { answer: null, error: error.message };
    throw error;
  }
}

/** What answers are constrained to: the schema of a task with fields. */
export function answerSchema(task: TaskDescription | null): TaskDescription['output'] | null {
  return task?.kind === 'fields' ? task.output : null;
}

/** Retries while the engine is busy or the cloud away; gives up once nothing was answered for a while. */
export async function patiently<T>(
  ask: () => Promise<T>,
  signal: AbortSignal | undefined,
  clock: Clock,
  movedAt: () => number,
): Promise<T> {
  const backoff = createBackoff({ firstMs: 250, longestMs: 4000 });
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ApiError) || isFinalError(error)) throw error;
      if (clock.elapsed() - movedAt() > PATIENCE_MS) throw error;
    }
    await clock.sleep(backoff.next(), signal);
  }
}
