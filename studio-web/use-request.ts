// Requests from views to Studio: queries with their latest response, paged lists, and mutations.
import { computed, onUnmounted, type Ref, ref, type ShallowRef, shallowRef } from 'vue';
import { type Clock, realClock, type Timer } from '../lib/clock/index.js';
import { NO_RESPONSE_MS, noResponse, type Page, readPages, SLOW_MS } from '../lib/console/index.js';
import type { ApiError } from '../lib/contract/index.js';

export interface Asked<T> {
  /** The latest response. Kept while a newer request is pending or has failed. */
  data: ShallowRef<T | undefined>;
  /** Whether the data has been a response, and not only what was known before; both may be the same object. */
  isAnswered: Ref<boolean>;
  error: ShallowRef<ApiError | undefined>;
  /** No response yet, and the request has been pending for a while. */
  isSlow: Ref<boolean>;
  reload(): Promise<void>;
  /** Asks again after the question changed: answers to the earlier one no longer count. */
  askAnew(): Promise<void>;
  /** Changes the data, as the response to a change says. Pending requests may not have it yet, so they are sent again. */
  update(change: (data: T) => T): void;
}

interface RequestOptions<T> {
  /** Shown until the first response. */
  known?: T | undefined;
  onResponse?: (answer: T) => void;
  /** How long to wait before reporting that Studio does not respond. */
  noResponseMs?: number;
  clock?: Clock;
}

/** Keeps polling from piling up unanswered requests: beyond this, the oldest is aborted. */
const MOST_UNANSWERED = 4;

/** Sends the request immediately; `reload` repeats it. The response to the latest request wins. */
export function useRequest<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  { known, onResponse, noResponseMs = NO_RESPONSE_MS, clock = realClock }: RequestOptions<T> = {},
): Asked<T> {
  const data = shallowRef<T | undefined>(known);
  const error = shallowRef<ApiError>();
  const isSlow = ref(false);
  const isAnswered = ref(false);
  /** Oldest first. */
  const pending = new Set<AbortController>();
  /** Runs since the last response while requests are pending. One for all of them, because polling aborts the oldest. */
  let silence: Timer | undefined;

  async function reload(): Promise<void> {
    const [oldest] = pending;
    if (pending.size >= MOST_UNANSWERED) giveUp(oldest!);
    const own = new AbortController();
    pending.add(own);
    if (!silence) listenAnew();
    try {
      const answer = await ask(own.signal);
      if (!own.signal.aborted) accept(own, answer);
    } catch (reason) {
      if (!own.signal.aborted) error.value = reason as ApiError;
    } finally {
      if (pending.delete(own)) listenAnew();
      isSlow.value = false;
    }
  }

  function listenAnew(): void {
    silence?.stop();
    const tell = () => {
      error.value = noResponse(noResponseMs);
    };
    silence = pending.size > 0 ? clock.after(noResponseMs, tell) : undefined;
  }

  async function askAnew(): Promise<void> {
    giveUpAll();
    await reload();
  }

  function update(change: (data: T) => T): void {
    if (data.value !== undefined) data.value = change(data.value);
    if (pending.size > 0) void askAnew();
  }

  function giveUp(request: AbortController): void {
    pending.delete(request);
    request.abort();
  }

  function giveUpAll(): void {
    for (const request of pending) giveUp(request);
    listenAnew();
  }

  function accept(own: AbortController, answer: T): void {
    for (const earlier of pending) {
      if (earlier === own) break;
      giveUp(earlier);
    }
    data.value = answer;
    isAnswered.value = true;
    error.value = undefined;
    onResponse?.(answer);
  }

  const timer = clock.after(SLOW_MS, () => {
    isSlow.value = data.value === undefined && error.value === undefined;
  });
  onUnmounted(() => {
    timer.stop();
    giveUpAll();
  });
  void reload();
  return { data, isAnswered, error, isSlow, reload, askAnew, update };
}

interface AskedPages<Found> extends Asked<Found> {
  hasMore: Readonly<Ref<boolean>>;
  showMore(): void;
  /** Starts over with the first page, after the query changed. */
  restart(): void;
}

/**
 * A paged list. `ask` returns the query that every page shares; `reload` refetches as many items as are on screen.
 */
export function usePages<Item, More>(
  ask: (signal: AbortSignal) => (cursor: string | undefined) => Promise<Page<Item> & More>,
  size: number,
  options?: RequestOptions<Page<Item> & More>,
): AskedPages<Page<Item> & More> {
  let wanted = size;
  const request = useRequest(signal => readPages(ask(signal), wanted), options);
  return {
    ...request,
    hasMore: computed(() => (request.data.value?.nextCursor ?? null) !== null),
    showMore() {
      wanted = (request.data.value?.items.length ?? 0) + size;
      void request.reload();
    },
    restart() {
      wanted = size;
      void request.askAnew();
    },
  };
}

/** A user action that the cloud may reject. Runs one at a time. */
export function useAttempt() {
  const isBusy = ref(false);
  /** Why the last attempt failed. */
  const refusal = shallowRef<Error>();

  /** Does nothing while another attempt is in progress. */
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
