// Knows who calls. Asked for at the start, and again while nobody could be asked, or once a project may have come to be.
import type { ApiError, Identity } from '../../../lib/contract/index.js';
import { toMessage } from './fetched.js';

export interface IdentityKeeper {
  ask(): Promise<void>;
  /** Asks again unless all is known that a first call can change. */
  refresh(): void;
  readonly identity: Identity | null;
}

export interface IdentityKeeperOptions {
  getIdentity(): Promise<Identity>;
  onIdentity(identity: Identity): void;
  onProblem(problem: string): void;
  readonly signal: AbortSignal;
}

const RETRY_MS = 5000;

export function createIdentityKeeper(options: IdentityKeeperOptions): IdentityKeeper {
  const { getIdentity, onIdentity, onProblem, signal } = options;
  let identity: Identity | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;

  async function ask(): Promise<void> {
    clearTimeout(retry);
    try {
      identity = await getIdentity();
      if (!signal.aborted) onIdentity(identity);
    } catch (error) {
      if (signal.aborted) return;
      onProblem(toMessage(error));
      if (isPassing(error)) retry = setTimeout(() => void ask(), RETRY_MS);
    }
  }

  signal.addEventListener('abort', () => clearTimeout(retry), { once: true });

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

/** An error that goes away by itself, when the cloud or Studio is there again. */
function isPassing(error: unknown): boolean {
  return ((error as Partial<ApiError>).status ?? 0) >= 500;
}
