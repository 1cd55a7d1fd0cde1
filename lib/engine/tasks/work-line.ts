// Work for one worker, done in pieces. Kinds of work take turns, then the callers of a kind, then each caller's pieces come
// in order: so many requests of one caller, or long ones, hold up another for a piece or two. Before each piece the event
// loop has a turn.
import { setImmediate } from 'node:timers/promises';

/** What is to be done, up to its result. */
type Pieces<T> = Generator<void, T> | AsyncGenerator<void, T>;

interface Work {
  /** Does a piece. Returns whether it was the last one. */
  proceed(): Promise<boolean>;
}

interface Place {
  kind: string;
  caller: string;
  signal: AbortSignal;
}

interface WorkLine {
  /** If the signal aborts, no further piece is begun, and the reason is thrown. */
  add<T>(pieces: Pieces<T>, place: Place): Promise<T>;
}

export function createWorkLine(): WorkLine {
  /** By kind and caller. The first has the next turn, and goes to the end after it. */
  const waiting = new Map<string, Map<string, Work[]>>();
  let isRunning = false;

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (;;) {
      await setImmediate();
      const [kind, callers] = firstOf(waiting) ?? [];
      if (!callers) break;
      const [caller, works] = firstOf(callers)!;
      if (await works[0]!.proceed()) works.shift();
      callers.delete(caller);
      if (works.length > 0) callers.set(caller, works);
      waiting.delete(kind!);
      if (callers.size > 0) waiting.set(kind!, callers);
    }
    isRunning = false;
  }

  return {
    add: (pieces, { kind, caller, signal }) =>
      new Promise((resolve, reject) => {
        async function proceed(): Promise<boolean> {
          try {
            if (signal.aborted) {
              await pieces.return(undefined as never);
              throw signal.reason;
            }
            const { done, value } = await pieces.next();
            if (done) resolve(value);
            return done === true;
          } catch (error) {
            reject(error);
            return true;
          }
        }

        const callers = waiting.get(kind) ?? new Map<string, Work[]>();
        waiting.set(kind, callers);
        const works = callers.get(caller) ?? [];
        callers.set(caller, works);
        works.push({ proceed });
        void run();
      }),
  };
}

function firstOf<K, V>(entries: ReadonlyMap<K, V>): [K, V] | undefined {
  const [first] = entries;
  return first;
}
