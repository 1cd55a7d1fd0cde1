// Failed calls to a Ray cluster: the reason, in a sentence that says what to do, and how long to retry.
import type { Clock } from '../../clock/index.js';
import { ApiError } from '../../contract/index.js';

/**
 * `away`: the cluster does not respond, which may pass. `unauthorized`: it requires another token. `unsupported`: it is too
 * old, or not a Ray cluster. `rejected`: it responded, and refused.
 */
export type RayErrorKind = 'away' | 'unauthorized' | 'unsupported' | 'rejected';

/** Converts the failure for callers: the engine of jobs and chats is unavailable. */
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
  /** Called with the reason for waiting, and with null once it continues. */
  onWait(problem: string | null): void;
  /** The cluster has responded properly before, so any error now may pass, such as one from a proxy in front of it. */
  isKnown?: boolean;
}

const MOST_DOUBLINGS = 4;
/** How often a cluster may refuse valid calls, as it does while its agents start. */
const MOST_REJECTIONS = 5;

/** Calls a cluster that may be unreachable, with growing pauses, until it responds or nobody is waiting anymore. */
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
