// Steps of a job, which are most of its events, by columns: what a field has in each of them, one after the other. Nothing is
// lost: the text of each event can be written again.

/** Events that differ only in the values of these columns. */
export interface StepTable {
  /** What is around the values: the text of an event has a piece before each, and one at its end. */
  readonly pieces: readonly string[];
  readonly columns: readonly StepColumn[];
}

interface StepColumn {
  readonly field: string;
  /** Of times, milliseconds since the epoch. */
  readonly values: readonly (number | null)[];
}

/** The type of their events. */
export const STEP_EVENT = 'training.log';
/** The field that has a time as text; all others are numbers. */
export const TIME_FIELD = 'timestamp';

/** Some steps in a row of an event stream. */
export class LoggedSteps {
  readonly event = STEP_EVENT;
  readonly length: number;
  readonly #table: StepTable;
  readonly #from: number;
  readonly #first: number;

  /** `from`: the place of the first step in the table. `first`: the number of its event. */
  constructor(table: StepTable, from: number, first: number, length: number) {
    this.#table = table;
    this.#from = from;
    this.#first = first;
    this.length = length;
  }

  /** The number of the last event. */
  get id(): string {
    return String(this.#first + this.length - 1);
  }

  /** Those after an event. */
  after(id: number): LoggedSteps {
    const seen = Math.min(this.length, Math.max(0, id - this.#first + 1));
    if (seen === 0) return this;
    return new LoggedSteps(this.#table, this.#from + seen, this.#first + seen, this.length - seen);
  }

  /** The fields with numbers. */
  get numbers(): StepColumn[] {
    return this.#table.columns.filter(({ field }) => field !== TIME_FIELD).map(column => this.#part(column));
  }

  /** When they were logged; null if they do not say. */
  get times(): readonly number[] | null {
    const times = this.#times();
    return times ? (this.#part(times).values as readonly number[]) : null;
  }

  timeOf(index: number): string | null {
    const times = this.#times();
    return times ? toTime(times.values[this.#from + index]!) : null;
  }

  /** The event to the letter. */
  data(index: number): string {
    const { pieces, columns } = this.#table;
    const values = columns.map(({ field, values }) => {
      const value = values[this.#from + index]!;
      return field === TIME_FIELD ? toTime(value) : value;
    });
    return pieces.map((piece, at) => (at < values.length ? piece + values[at] : piece)).join('');
  }

  #times(): StepColumn | undefined {
    return this.#table.columns.find(({ field }) => field === TIME_FIELD);
  }

  #part({ field, values }: StepColumn): StepColumn {
    return { field, values: values.slice(this.#from, this.#from + this.length) };
  }
}

export function toTime(ms: number | null): string {
  return new Date(ms!).toISOString();
}
