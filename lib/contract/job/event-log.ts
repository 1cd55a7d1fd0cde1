// A job's log in transit to readers. Events are numbered text, as in an event stream. Steps, which make up most of a log,
// are sent in columns: as separate objects, 100,000 of them would be slow to write and parse.
import { ApiError } from '../errors.js';
import type { JobEvent } from './event.js';

export interface EventFrame {
  /** The event's number in the job's log; empty if the stream sends none. */
  readonly id: string;
  readonly event: string;
  /** The exact text of `data:`. */
  readonly data: string;
}

/** An event, or many consecutive steps. */
export type LogPart = EventFrame | LoggedSteps;

/** Logs are sent as lines of JSON, each of them one of these. */
type LogLine = EventFrame | StepRows;

interface StepRows {
  readonly jobId: string;
  /** The number of the first event; the others follow without gaps. */
  readonly first: number;
  /** In milliseconds since the epoch. */
  readonly times: readonly number[];
  /** Metrics by name. Null where an event has no value. */
  readonly columns: Readonly<Record<string, readonly (number | null)[]>>;
}

const STEP_EVENT = 'training.log';

/** Consecutive steps, without a gap. */
export class LoggedSteps implements StepRows {
  readonly event = STEP_EVENT;
  readonly jobId: string;
  readonly first: number;
  readonly times: StepRows['times'];
  readonly columns: StepRows['columns'];

  constructor({ jobId, first, times, columns }: StepRows) {
    this.jobId = jobId;
    this.first = first;
    this.times = times;
    this.columns = columns;
  }

  get length(): number {
    return this.times.length;
  }

  /** The number of the last event. */
  get id(): string {
    return String(this.first + this.length - 1);
  }

  /** By index, like `Array.prototype.slice`. */
  slice(from: number, to = this.length): LoggedSteps {
    if (from === 0 && to === this.length) return this;
    const columns = Object.entries(this.columns).map(([name, values]) => [name, values.slice(from, to)]);
    return new LoggedSteps({
      jobId: this.jobId,
      first: this.first + from,
      times: this.times.slice(from, to),
      columns: Object.fromEntries(columns),
    });
  }

  /** The entries after an event. */
  after(id: number): LoggedSteps {
    return this.slice(Math.min(this.length, Math.max(0, id - this.first + 1)));
  }

  timeOf(index: number): string {
    return new Date(this.times[index]!).toISOString();
  }

  /** One event at a time. */
  frames(): EventFrame[] {
    const start = `{"type":"${STEP_EVENT}","jobId":${JSON.stringify(this.jobId)},"timestamp":"`;
    const measured = Object.entries(this.columns).map(([name, values]) => [`,"${name}":`, values] as const);
    return this.times.map((_, index) => {
      let data = `${start}${this.timeOf(index)}"`;
      for (const [name, values] of measured) if (values[index] !== null) data += `${name}${values[index]}`;
      return { id: String(this.first + index), event: STEP_EVENT, data: `${data}}` };
    });
  }
}

/** One event at a time. */
export function toFrames(parts: readonly LogPart[]): EventFrame[] {
  return parts.flatMap(part => (part instanceof LoggedSteps ? part.frames() : part));
}

export function writeLogLines(parts: readonly LogPart[]): string {
  return parts
    .map(part => {
      if (!(part instanceof LoggedSteps)) return part;
      const { jobId, first, times, columns } = part;
      return { jobId, first, times, columns };
    })
    .map((line: LogLine) => `${JSON.stringify(line)}\n`)
    .join('');
}

export function readLogLine(text: string): LogPart {
  const line = JSON.parse(text) as LogLine;
  return 'columns' in line ? new LoggedSteps(line) : line;
}

export function countEvents(parts: readonly LogPart[]): number {
  return parts.reduce((sum, part) => sum + (part instanceof LoggedSteps ? part.length : 1), 0);
}

/** Does not validate the shape. */
export function readJobEvent({ data }: Pick<EventFrame, 'data'>): JobEvent {
  try {
    return JSON.parse(data) as JobEvent;
  } catch {
    throw new ApiError('unexpected_response', 'A job event is not valid JSON.');
  }
}

/** An event's data. Anything but an object counts as empty. */
export function parseObject(data: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(data);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
