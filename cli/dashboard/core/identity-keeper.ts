// Holds the identity. Fetched at the start, and again while fetching fails or there is no project yet.
import type { Clock, Timer } from '../../../lib/clock/index.js';
import { awaitsProject, IDENTITY_POLL_MS, isPassing } from '../../../lib/console/index.js';
import type { Identity } from '../../../lib/contract/index.js';
import { toMessage } from './fetched.js';

export interface IdentityKeeper {
  ask(): Promise<void>;
  /** Fetches again unless the project, which a first call can create, is already known. */
  refresh(): void;
  readonly identity: Identity | null;
}

interface IdentityKeeperOptions {
  getIdentity(): Promise<Identity>;
  onIdentity(identity: Identity): void;
  onProblem(problem: string): void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const RETRY_MS = 5000;

export function createIdentityKeeper(options: IdentityKeeperOptions): IdentityKeeper {
  const { getIdentity, onIdentity, onProblem, clock, signal } = options;
  let identity: Identity | null = null;
  let retry: Timer | undefined;

  async function ask(): Promise<void> {
    retry?.stop();
    try {
      identity = await getIdentity();
      if (signal.aborted) return;
      onIdentity(identity);
      if (awaitsProject(identity)) askAgain(IDENTITY_POLL_MS);
    } catch (error) {
      if (signal.aborted) return;
      onProblem(toMessage(error));
      if (isPassing(error)) askAgain(RETRY_MS);
    }
  }

  function askAgain(ms: number): void {
    retry?.stop();
    retry = clock.after(ms, () => void ask());
  }

  signal.addEventListener('abort', () => retry?.stop(), { once: true });

  return {
    ask,
    refresh() {
      if (identity?.projectSlug == null) void ask();
    },
    get identity() {
      return identity;
    },
  };
}
