// The entries of a job's event log. Messages are formatted lazily, because most entries of a long log are
// dropped before they are read.
import type { LoggedSteps } from '../../contract/index.js';
import { stepMessage } from './event-message.js';

/** The log keeps only the most recent entries; chart and statistics keep every point. */
export const LOG_LIMIT = 500;

/** A repeated progress event: only the latest matters. */
const PROGRESS = 'training.preparing';

export interface LogEntry {
  /** Unique and increasing within a view. */
  readonly key: number;
  readonly event: string;
  readonly message: string;
  /** The event's timestamp. */
  readonly at: string | null;
}

interface Entries {
  add(event: string, at: string | null, message: () => string): void;
  /** Adds only the steps that can still be in the log at the end. */
  addSteps(steps: LoggedSteps): void;
  build(): readonly LogEntry[];
}

/** Adds to a log. Repeated progress updates a single entry; keys have no gaps. */
export function collectEntries(log: readonly LogEntry[]): Entries {
  let before = log;
  let added: LogEntry[] = [];
  const trim = () => {
    if (added.length > 4 * LOG_LIMIT) added = added.slice(-LOG_LIMIT);
  };
  return {
    add(event, at, message) {
      const last = added.at(-1) ?? before.at(-1);
      const isSame = last?.event === PROGRESS && event === PROGRESS;
      const key = last ? last.key + (isSame ? 0 : 1) : 0;
      if (isSame && added.length > 0) added.pop();
      else if (isSame) before = before.slice(0, -1);
      added.push(new WrittenEntry(key, event, at, message));
      trim();
    },
    addSteps(steps) {
      const last = added.at(-1) ?? before.at(-1);
      const key = last ? last.key + 1 : 0;
      for (let index = Math.max(0, steps.length - LOG_LIMIT); index < steps.length; index++)
        added.push(new StepEntry(key + index, steps, index));
      trim();
    },
    build() {
      if (added.length === 0) return log;
      const newest = added.slice(-LOG_LIMIT);
      const rest = before.slice(Math.max(0, before.length + newest.length - LOG_LIMIT));
      return [...rest, ...newest];
    },
  };
}

/** A class, because getters on each object would make entries slow to create. */
class WrittenEntry implements LogEntry {
  readonly key: number;
  readonly event: string;
  readonly at: string | null;
  readonly #write: () => string;
  #text: string | undefined;

  constructor(key: number, event: string, at: string | null, write: () => string) {
    this.key = key;
    this.event = event;
    this.at = at;
    this.#write = write;
  }

  get message(): string {
    this.#text ??= this.#write();
    return this.#text;
  }
}

class StepEntry implements LogEntry {
  readonly key: number;
  readonly event: string;
  readonly #steps: LoggedSteps;
  readonly #index: number;
  #text: string | undefined;

  constructor(key: number, steps: LoggedSteps, index: number) {
    this.key = key;
    this.event = steps.event;
    this.#steps = steps;
    this.#index = index;
  }

  get at(): string {
    return this.#steps.timeOf(this.#index);
  }

  get message(): string {
    this.#text ??= stepMessage(this.#steps.columns, this.#index);
    return this.#text;
  }
}
