// Work that must not overlap, done in the order in which it was asked for.

export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return work => {
    const turn = last.then(work, work);
    last = turn.catch(() => {});
    return turn;
  };
}
