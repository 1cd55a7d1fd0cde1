// Time, for all of svc that waits: handed in, so that tests let hours pass in a moment. Only this room knows JavaScript's
// timers (`tests/house/no-timers.grit`).
export { type Clock, realClock, type Timer } from './clock.js';
export { createPoll, type Poll } from './poll.js';
export { within } from './within.js';
