// Expecting what becomes so sooner or later, inside a test.
import { expect, onTestFinished, TestRunner } from 'vitest';
import { vitest, waitAloud, waitClock, waitHere } from './in-time.js';
import type { Waiting } from './wait.js';

vitest.testEndsAt = () => {
  const test = TestRunner.getCurrentTest<ReturnType<typeof TestRunner.getCurrentTest>>();
  const { state, startTime, hooks } = test?.result ?? {};
  // What is done before and after a test has a time of its own.
  if (state !== 'run' || hooks?.beforeEach === 'run' || hooks?.afterEach === 'run') return undefined;
  return waitClock.elapsed() + (startTime! + test!.timeout - Date.now());
};

declare global {
  /** What Vitest keeps in each of its processes. */
  var __vitest_worker__: { resolvingModules: ReadonlySet<string> } | undefined;
}
vitest.isCompiling = () => (globalThis.__vitest_worker__?.resolvingModules.size ?? 0) > 0;

type Assertions<T> = ReturnType<typeof expect.poll<T>>;

/** `await until(() => state).toBe('ready')`: reads until what `expect` says of it is so. */
export function until<T>(read: () => T | Promise<T>, waiting: Waiting = {}): Assertions<T> {
  const how = waitHere(waiting);
  let isAwaited = false;
  if (TestRunner.getCurrentTest())
    onTestFinished(() => {
      if (!isAwaited) throw new Error(`until(…) at ${how.at().place} expects nothing, or was not awaited.`);
    });

  /** Begins when it is awaited. */
  function expectLater(path: readonly string[], given: readonly unknown[]) {
    let result: Promise<unknown> | undefined;
    const begin = () => {
      isAwaited = true;
      result ??= waitAloud(async () => check(await read(), path, given), how);
      return result;
    };
    return {
      // biome-ignore lint/suspicious/noThenProperty: it is awaited.
      then: (...react: Parameters<Promise<unknown>['then']>) => begin().then(...react),
      catch: (react: (error: unknown) => unknown) => begin().catch(react),
      finally: (react: () => void) => begin().finally(react),
    };
  }

  const chain = (path: readonly string[]): object =>
    new Proxy(() => {}, {
      // Awaited without an expectation, it is not a promise.
      get: (_, key) => (key === 'then' || typeof key === 'symbol' ? undefined : chain([...path, key])),
      apply: (_, __, given: unknown[]) => expectLater(path, given),
    });
  return chain([]) as Assertions<T>;
}

type Matchers = { [name: string]: Matchers & ((...given: readonly unknown[]) => unknown) };

function check(value: unknown, path: readonly string[], given: readonly unknown[]): unknown {
  const assertion = path
    .slice(0, -1)
    .reduce<Matchers>((found, name) => found[name]!, expect(value) as unknown as Matchers);
  return assertion[path.at(-1)!]!(...given);
}
