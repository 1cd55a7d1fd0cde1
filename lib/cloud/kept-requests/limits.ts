// How much is kept. Marked answers are somebody's work, so they go last.
export interface KeptLimits {
  /** Of each deployment. */
  requests: number;
  /** Of each deployment, in all. */
  bytes: number;
  /** A larger request is skipped: half a conversation would teach something else. */
  requestBytes: number;
  /** What waits in memory to be written. */
  waiting: number;
  waitingBytes: number;
}

export const KEPT_LIMITS: KeptLimits = {
  requests: 10_000,
  bytes: 64 * 1024 ** 2,
  requestBytes: 256 * 1024,
  waiting: 2000,
  waitingBytes: 32 * 1024 ** 2,
};
