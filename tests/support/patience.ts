// How long tests wait. What hangs is found this soon.

/** A cluster of its own processes, which has to start first, is given several times as long: `tests/ray` says how many. */
export const PATIENCE_TIMES = Number(process.env.SVC_TEST_PATIENCE ?? 1);

/** For one thing to happen. */
export const PATIENCE_MS = 15_000 * PATIENCE_TIMES;

/** For a whole test with all that it waits for, and for what is done before and after it. */
export const TEST_TIMEOUT_MS = 20_000 * PATIENCE_TIMES;

/** For a test that trains for real or starts several processes. Each of its waits has no more than others. */
export const JOURNEY_TIMEOUT_MS = 60_000 * PATIENCE_TIMES;
