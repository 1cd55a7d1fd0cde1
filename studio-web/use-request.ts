// One answer of Studio for a view: what came, what went wrong, and whether it takes long enough to say so.
import { onUnmounted, type Ref, ref, type ShallowRef, shallowRef } from 'vue';
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
}

const SLOW_MS = 150;
/** Who asks every few seconds does not pile up questions that nobody answers. */
const MOST_UNANSWERED = 4;

/** Asks at once; `reload` asks again. Of several answers the one to the latest question counts. */
export function useRequest<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  { known, onAnswer }: RequestOptions<T> = {},
): Asked<T> {
  const data = shallowRef<T | undefined>(known);
  const error = shallowRef<ApiError>();
  const isSlow = ref(false);
  const left = new AbortController();
  let asked = 0;
  let answered = 0;
  let unanswered = 0;

  async function reload(): Promise<void> {
    if (unanswered >= MOST_UNANSWERED) return;
    const number = ++asked;
    unanswered++;
    try {
      const answer = await ask(left.signal);
      if (number > answered && !left.signal.aborted) accept(number, answer);
    } catch (reason) {
      if (number > answered && !left.signal.aborted) error.value = reason as ApiError;
    } finally {
      unanswered--;
      isSlow.value = false;
    }
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
    left.abort();
  });
  void reload();
  return { data, error, isSlow, reload };
}
