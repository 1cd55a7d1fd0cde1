// Calls to a Ray cluster that fail: why, in a sentence that says what to do, and for how long they are repeated.
import type { Clock } from '../../clock/index.js';
import { ApiError } from '../../contract/index.js';

/**
 * `away`: the cluster does not answer, which may pass. `unauthorized`: it wants another token. `unsupported`: it is too
 * old, or not a Ray cluster. `rejected`: it answered, and refused.
 */
export type RayErrorKind = 'away' | 'unauthorized' | 'unsupported' | 'rejected';

/** What the cluster's failure means for callers: the engine of jobs and chats is unavailable. */
export class RayError extends ApiError {
  readonly kind: RayErrorKind;

  constructor(kind: RayErrorKind, message: string, cause?: unknown) {
    super('engine_unavailable', message, { cause });
    this.kind = kind;
  }
}

interface Patience {
  clock: Clock;
  signal: AbortSignal;
  /** The first pause, in milliseconds; each one is twice as long, up to 16 times. */
  firstMs: number;
  /** Told why it waits, and null once it goes on. */
  onWait(problem: string | null): void;
  /** The cluster has answered as one before: whatever it says now may pass, such as what a proxy says in its place. */
  isKnown?: boolean;
}

const MOST_DOUBLINGS = 4;
/** How often a cluster may refuse what should work, such as while its agents start. */
const MOST_REJECTIONS = 5;

/** Calls a cluster that may be away, with growing pauses, until it answers or nobody waits anymore. */
export async function untilAnswered<T>(
  call: () => Promise<T>,
  { clock, signal, firstMs, onWait, isKnown = false }: Patience,
): Promise<T> {
  for (let tries = 0, rejections = 0; ; tries++) {
    try {
      const answer = await call();
      if (tries > 0) onWait(null);
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RayError)) throw error;
      if (error.kind === 'unsupported' && !isKnown) throw error;
      if (error.kind === 'rejected' && !isKnown && ++rejections === MOST_REJECTIONS) throw error;
      onWait(error.message);
      await clock.sleep(firstMs * 2 ** Math.min(tries, MOST_DOUBLINGS), signal);
    }
  }
}
