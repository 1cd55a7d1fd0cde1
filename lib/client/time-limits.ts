// How long a client waits, and for what. Streams that last longer send comments to show they are alive; for machines,
// the system sends probes.

export interface TimeLimits {
  /** To connect. */
  connectMs: number;
  /** For the first byte of the answer. */
  answerMs: number;
  /** For that byte if it comes only after work: a complete chat answer, a stored upload, garbage collection. */
  workMs: number;
  /** Between two bytes of a document, a stream (kept alive by comments) or an upload. */
  idleMs: number;
}

export const TIME_LIMITS: TimeLimits = {
  connectMs: 10_000,
  answerMs: 30_000,
  workMs: 3_600_000,
  idleMs: 60_000,
};

/** Longer, because Studio may have to start a cloud before it answers; it has its own limit for that. */
export const STUDIO_TIME_LIMITS: TimeLimits = { ...TIME_LIMITS, answerMs: 180_000 };
