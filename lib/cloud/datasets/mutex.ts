// Runs work that must not overlap, in the order of the calls.

type Mutex = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return work => {
    const run = last.then(work, work);
    last = run.catch(() => {});
    return run;
  };
}
