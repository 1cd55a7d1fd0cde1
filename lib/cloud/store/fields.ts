// Response fields as columns of tables, and columns that the contract describes: a job's fields, and what a step measured. Lists
// and objects are stored as JSON, true and false as 1 and 0.
import {
  type FieldKind,
  type JOB_FIELDS,
  type JobSummary,
  jobFieldsWith,
  STEP_MEASURES,
  type StepMeasure,
  type StoredField,
  type TaskDescription,
} from '../../contract/index.js';
import { type Column, integer, orNull, real, text } from './columns.js';

interface ColumnOfField {
  readonly column: string;
  readonly as?: 'json' | 'flag' | undefined;
  readonly isReal?: boolean;
}

export type StoredFields<Fields> = { readonly [Name in keyof Fields]-?: ColumnOfField };

export type Given<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

export function readFields<Fields>(stored: StoredFields<Fields>, row: object): Fields {
  const read = ([name, { column, as }]: [string, ColumnOfField]) => {
    const value = (row as Record<string, unknown>)[column];
    if (value === null || as === undefined) return [name, value];
    return [name, as === 'json' ? JSON.parse(value as string) : value === 1];
  };
  return Object.fromEntries(Object.entries<ColumnOfField>(stored).map(read)) as Fields;
}

/** The columns of the given fields. */
export function toColumns<Fields>(stored: StoredFields<Fields>, given: Given<Fields>): object {
  const fields = Object.entries<ColumnOfField>(stored).map(([name, field]) => ({
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

interface StoredKind {
  readonly column: (rules?: string) => Column<string | number>;
  /** Lists and objects are stored as JSON. */
  readonly as?: 'json';
}

/** How each kind of field is stored. */
const KINDS: Readonly<Record<FieldKind, StoredKind>> = {
  id: { column: text },
  text: { column: text },
  status: { column: text },
  time: { column: text },
  count: { column: integer },
  loss: { column: real },
  reward: { column: real },
  score: { column: text, as: 'json' },
  tags: { column: text, as: 'json' },
  group: { column: text, as: 'json' },
  origin: { column: text, as: 'json' },
};

/** Where the fields of a job are stored. */
export const STORED_JOB_FIELDS = Object.fromEntries(
  jobFieldsWith('column').map(({ name, column, kind }) => {
    const { as, column: write } = KINDS[kind];
    return [name, { column, as, isReal: write === real }];
  }),
) as StoredFields<Pick<JobSummary, StoredField>>;

type JobField<Name extends StoredField> = (typeof JOB_FIELDS)[Name];
type JobColumns = {
  [Name in StoredField as JobField<Name>['column']]: Column<
    | (JobField<Name>['kind'] extends 'count' | 'loss' | 'reward' ? number : string)
    | (JobField<Name> extends { missing: null } ? null : never)
  >;
};

export const jobColumns = Object.fromEntries(
  jobFieldsWith('column').map(({ kind, missing, column }) => {
    const { column: write, as } = KINDS[kind];
    if (missing === null) return [column, orNull(write())];
    const value = as === 'json' ? JSON.stringify(missing) : missing;
    return [column, write(value === undefined ? '' : `DEFAULT '${value}'`)];
  }),
) as JobColumns;

export const measureColumns = Object.fromEntries(STEP_MEASURES.map(name => [name, orNull(real())])) as Record<
  StepMeasure,
  Column<number | null>
>;
