// A limit of time for something that is awaited.
import type { Clock } from './clock.js';

/** What the promise brings; from `ms` on, what `late` returns or throws. */
export function within<T, Late>(
  promise: Promise<T>,
  ms: number,
  late: () => Late,
  clock: Clock,
): Promise<T | Late> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(ms, () => resolve(new Promise<Late>(settle => settle(late()))));
    promise.finally(timer.stop).then(resolve, reject);
  });
}
