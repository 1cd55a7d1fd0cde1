// How long a client waits for what. Whatever lives longer shows that it is alive: streams by comments, machines by the
// probes of the system.

export interface TimeLimits {
  /** For a connection. */
  connectMs: number;
  /** For the first byte of an answer. */
  answerMs: number;
  /** For that byte when it comes only after work: a whole chat, an upload that is stored, a clean-up. */
  workMs: number;
  /** Between two bytes: of a document, of a stream that is kept awake by comments, of an upload. */
  idleMs: number;
}

export const TIME_LIMITS: TimeLimits = {
  connectMs: 10_000,
  answerMs: 30_000,
  workMs: 3_600_000,
  idleMs: 60_000,
};

/** Studio may have to start a cloud before it answers, and gives up on one by itself. */
export const STUDIO_TIME_LIMITS: TimeLimits = { ...TIME_LIMITS, answerMs: 180_000 };
