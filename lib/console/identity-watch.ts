// Holds the identity: asked for at the start, and again while that fails or there is no project yet. Once there is one, asking
// sends nothing to the cloud.
import type { Clock, Timer } from '../clock/index.js';
import type { ApiError, Identity } from '../contract/index.js';

export const IDENTITY_POLL_MS = 1000;

interface IdentityWatch {
  readonly identity: Identity | null;
  ask(): Promise<void>;
  /** The first run, chat or endpoint creates the project: asks again unless it is known. */
  noticeProject(): void;
  stop(): void;
}

interface IdentityWatchOptions {
  getIdentity(): Promise<Identity>;
  onIdentity(identity: Identity): void;
  onError(error: unknown): void;
  /** Nobody wants to know any more. */
  isOver(): boolean;
  /** How long to wait after an error that clears once the cloud or Studio is back. */
  readonly retryMs: number;
  readonly clock: Clock;
}

export function createIdentityWatch(options: IdentityWatchOptions): IdentityWatch {
  const { getIdentity, onIdentity, onError, isOver, retryMs, clock } = options;
  let identity: Identity | null = null;
  let again: Timer | undefined;

  async function ask(): Promise<void> {
    again?.stop();
    try {
      identity = await getIdentity();
      if (isOver()) return;
      onIdentity(identity);
      if (identity.projectSlug === null) askIn(IDENTITY_POLL_MS);
    } catch (error) {
      if (isOver()) return;
      onError(error);
      if (isPassing(error)) askIn(retryMs);
    }
  }

  function askIn(ms: number): void {
    again?.stop();
    again = clock.after(ms, () => void ask());
  }

  return {
    get identity() {
      return identity;
    },
    ask,
    noticeProject() {
      if (identity?.projectSlug == null) void ask();
    },
    stop: () => again?.stop(),
  };
}

function isPassing(error: unknown): boolean {
  return ((error as Partial<ApiError> | null)?.status ?? 0) >= 500;
}
