// What a view asks of Studio: a request with its latest answer, and a user's attempt at a change.
import { computed, onUnmounted, type Ref, ref, type ShallowRef, shallowRef } from 'vue';
import { type Clock, realClock } from '../lib/clock/index.js';
import { NO_ANSWER_MS, noAnswer, type Page, readPages, SLOW_MS } from '../lib/console/index.js';
import type { ApiError } from '../lib/contract/index.js';

export interface Asked<T> {
  /** The latest answer. It stays while a newer request is pending or has failed. */
  data: ShallowRef<T | undefined>;
  error: ShallowRef<ApiError | undefined>;
  /** There is no answer yet and the request has been pending for a while. */
  isSlow: Ref<boolean>;
  reload(): Promise<void>;
}

interface RequestOptions<T> {
  /** Shown until the first answer. */
  known?: T | undefined;
  onAnswer?: (answer: T) => void;
  /** How long to wait before reporting that there is no answer. */
  noAnswerMs?: number;
  clock?: Clock;
}

/** Keeps polling from piling up unanswered requests: beyond this, the oldest is aborted. */
const MOST_UNANSWERED = 4;

/** Sends the request at once; `reload` sends it again. The answer to the latest request wins. */
export function useRequest<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  { known, onAnswer, noAnswerMs = NO_ANSWER_MS, clock = realClock }: RequestOptions<T> = {},
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
    const silence = clock.after(noAnswerMs, () => {
      if (number > answered) error.value = noAnswer(noAnswerMs);
    });
    own.signal.addEventListener('abort', silence.stop);
    try {
      const answer = await ask(own.signal);
      if (number > answered && !own.signal.aborted) accept(number, answer);
    } catch (reason) {
      if (number > answered && !own.signal.aborted) error.value = reason as ApiError;
    } finally {
      silence.stop();
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

  const timer = clock.after(SLOW_MS, () => {
    isSlow.value = data.value === undefined && error.value === undefined;
  });
  onUnmounted(() => {
    timer.stop();
    for (const one of pending) one.abort();
  });
  void reload();
  return { data, error, isSlow, reload };
}

interface AskedPages<Found> extends Asked<Found> {
  hasMore: Readonly<Ref<boolean>>;
  showMore(): void;
  /** Asks for something else: its first page. */
  restart(): void;
}

/**
 * A list that is read page by page. `ask` says for each request what is asked of every page; `reload` asks again for as many
 * items as are shown.
 */
export function usePages<Item, More>(
  ask: (signal: AbortSignal) => (cursor: string | undefined) => Promise<Page<Item> & More>,
  size: number,
  options?: RequestOptions<Page<Item> & More>,
): AskedPages<Page<Item> & More> {
  let wanted = size;
  const request = useRequest(signal => readPages(ask(signal), wanted), options);
  const show = (count: number) => {
    wanted = count;
    void request.reload();
  };
  return {
    ...request,
    hasMore: computed(() => (request.data.value?.nextCursor ?? null) !== null),
    showMore: () => show((request.data.value?.items.length ?? 0) + size),
    restart: () => show(size),
  };
}

/** What a user asks for and the cloud may refuse, one at a time. */
export function useAttempt() {
  const isBusy = ref(false);
  /** Why the last one failed. */
  const refusal = shallowRef<Error>();

  /** Does nothing while another one goes on. */
  async function attempt(act: () => Promise<unknown>): Promise<void> {
    if (isBusy.value) return;
    isBusy.value = true;
    refusal.value = undefined;
    try {
      await act();
    } catch (error) {
      refusal.value = error as Error;
    } finally {
      isBusy.value = false;
    }
  }

  return { isBusy, refusal, attempt };
}
