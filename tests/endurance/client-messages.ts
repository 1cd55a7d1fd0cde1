// What the kill loop and its client say to each other.
import type { JobEvent, JobInput, Scope } from '../../lib/contract/index.js';

/** Something to be made exactly once. Its name is its idempotency key, too. */
export type Intent =
  | { kind: 'job'; name: string; config: JobInput['config'] }
  | { kind: 'endpoint'; name: string; baseModel: string }
  | { kind: 'key'; name: string; deploymentId: string };

export interface Reach {
  url: string;
  token: string;
  scope: Scope;
}

export type ToClient =
  | { type: 'reach'; reach: Reach }
  | { type: 'do'; intent: Intent }
  | { type: 'follow'; jobId: string; after: number };

export interface Answer {
  id: string;
  plaintext?: string;
}

export type FromClient =
  | { type: 'done'; intent: Intent; answer: Answer }
  | { type: 'refused'; intent: Intent; reason: string }
  | { type: 'event'; jobId: string; seq: number; event: JobEvent };
