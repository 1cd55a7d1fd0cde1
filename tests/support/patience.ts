// How long tests wait, each of them. A machine that is slow, or has much else to do, takes its time: what comes late is no
// failure, and what never comes is one soon enough.

/** For one thing to happen. */
export const PATIENCE_MS = 150_000;

/** For a whole test with all that it waits for, and for what is done before and after it. */
export const TEST_TIMEOUT_MS = 2 * PATIENCE_MS;
