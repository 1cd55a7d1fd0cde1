// Columns that the contract describes: a job's fields, and what a step measured.
import {
  type FieldKind,
  type JOB_FIELDS,
  type JobSummary,
  jobFieldsWith,
  STEP_MEASURES,
  type StepMeasure,
  type StoredField,
} from '../../contract/index.js';
import { type Column, integer, orNull, real, text } from './columns.js';
import type { StoredFields } from './fields.js';

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
  jobFieldsWith('column').map(({ name, column, kind }) => [name, { column, as: KINDS[kind].as }]),
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
