// Converts between table rows and response fields: lists and objects are stored as JSON, true and false as 1 and 0.
import type { TaskDescription } from '../../contract/index.js';

interface StoredField {
  readonly column: string;
  readonly as?: 'json' | 'flag' | undefined;
}

export type StoredFields<Fields> = { readonly [Name in keyof Fields]-?: StoredField };

export type Given<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

export function readFields<Fields>(stored: StoredFields<Fields>, row: object): Fields {
  const read = ([name, { column, as }]: [string, StoredField]) => {
    const value = (row as Record<string, unknown>)[column];
    if (value === null || as === undefined) return [name, value];
    return [name, as === 'json' ? JSON.parse(value as string) : value === 1];
  };
  return Object.fromEntries(Object.entries<StoredField>(stored).map(read)) as Fields;
}

/** The columns of the given fields. */
export function toColumns<Fields>(stored: StoredFields<Fields>, given: Given<Fields>): object {
  const fields = Object.entries<StoredField>(stored).map(([name, field]) => ({
    ...field,
    value: given[name as keyof Fields],
  }));
  return Object.fromEntries(
    fields
      .filter(({ value }) => value !== undefined)
      .map(({ column, as, value }) => {
        if (value === null || as === undefined) return [column, value];
        return [column, as === 'json' ? JSON.stringify(value) : Number(value)];
      }),
  );
}

/** A job's task as its column has it. */
export function readTask(task: string | null): TaskDescription | null {
  return task === null ? null : (JSON.parse(task) as TaskDescription);
}
