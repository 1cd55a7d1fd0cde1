// One answer of Studio for a view: what came, what went wrong, and whether it takes long enough to say so.
import { onUnmounted, type Ref, ref, type ShallowRef, shallowRef } from 'vue';
import { NO_ANSWER_MS, noAnswer } from '../lib/console/index.js';
import type { ApiError } from '../lib/contract/index.js';

export interface Asked<T> {
  /** The latest answer; it stays while a newer one is asked for, or could not be had. */
  data: ShallowRef<T | undefined>;
  error: ShallowRef<ApiError | undefined>;
  /** Nothing came yet, and one has waited for a while. */
  isSlow: Ref<boolean>;
  reload(): Promise<void>;
}

export interface RequestOptions<T> {
  /** What is already known. */
  known?: T | undefined;
  onAnswer?: (answer: T) => void;
  /** When to say that no answer comes. */
  noAnswerMs?: number;
}

const SLOW_MS = 150;
/** Polling does not pile up requests that nobody answers: the oldest makes room for the next. */
const MOST_UNANSWERED = 4;

/** Asks at once; `reload` asks again. Of several answers the one to the latest question counts. */
export function useRequest<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  { known, onAnswer, noAnswerMs = NO_ANSWER_MS }: RequestOptions<T> = {},
): Asked<T> {
  const data = shallowRef<T | undefined>(known);
  const error = shallowRef<ApiError>();
  const isSlow = ref(false);
  /** Oldest first. */
  const pending = new Set<AbortController>();
  let asked = 0;
  let answered = 0;

  async function reload(): Promise<void> {
    if (pending.size >= MOST_UNANSWERED) giveUpOldest();
    const number = ++asked;
    const own = new AbortController();
    pending.add(own);
    const silence = setTimeout(() => {
      if (number > answered) error.value = noAnswer(noAnswerMs);
    }, noAnswerMs);
    own.signal.addEventListener('abort', () => clearTimeout(silence));
    try {
      const answer = await ask(own.signal);
      if (number > answered && !own.signal.aborted) accept(number, answer);
    } catch (reason) {
      if (number > answered && !own.signal.aborted) error.value = reason as ApiError;
    } finally {
      clearTimeout(silence);
      pending.delete(own);
      isSlow.value = false;
    }
  }

  function giveUpOldest(): void {
    const [oldest] = pending;
    pending.delete(oldest!);
    oldest!.abort();
  }

  function accept(number: number, answer: T): void {
    answered = number;
    data.value = answer;
    error.value = undefined;
    onAnswer?.(answer);
  }

  const timer = setTimeout(() => {
    isSlow.value = data.value === undefined && error.value === undefined;
  }, SLOW_MS);
  onUnmounted(() => {
    clearTimeout(timer);
    for (const one of pending) one.abort();
  });
  void reload();
  return { data, error, isSlow, reload };
}
