// Tells of each test that fails, and of each that does not end, when it does so: Vitest tells when its whole file has ended,
// which takes long where many hang, and never comes where one keeps its process busy.
import type { Reporter, TestCase } from 'vitest/node';
import { type Clock, realClock, type Timer } from '../../lib/clock/index.js';

/** For the answer of a test that ends with its time. */
const GRACE_MS = 1000;

interface Options {
  print?: (text: string) => void;
  clock?: Clock;
}

type Told = Pick<TestCase, 'id' | 'result' | 'fullName' | 'module' | 'options'>;

export class FailuresAtOnce implements Reporter {
  readonly #print: (text: string) => void;
  readonly #clock: Clock;
  readonly #running = new Map<string, Timer>();

  constructor({ print = text => void process.stderr.write(text), clock = realClock }: Options = {}) {
    this.#print = print;
    this.#clock = clock;
  }

  onTestCaseReady(test: Told): void {
    const { timeout } = test.options;
    if (timeout === undefined) return;
    const timer = this.#clock.after(timeout + GRACE_MS, () => {
      // Vitest may tell that a test has ended before it tells that it begins.
      if (test.result().state !== 'pending') return;
      this.#print(
        `\nHANGS  ${nameOf(test)}\nIt, or what is done before or after it, takes more than ${timeout} ms.\n`,
      );
    });
    this.#running.set(test.id, timer);
  }

  onTestCaseResult(test: Told): void {
    this.#running.get(test.id)?.stop();
    this.#running.delete(test.id);
    const { state, errors = [] } = test.result();
    if (state === 'failed') this.#print(`\nFAILED ${nameOf(test)}\n${errors[0]?.message ?? ''}\n`);
  }
}

const nameOf = ({ module, fullName }: Told) => `${module.relativeModuleId} > ${fullName}`;
