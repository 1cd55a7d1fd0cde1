// Columns that the contract describes: a job's fields, and what a step measured.
import {
  type FieldKind,
  type JOB_FIELDS,
  jobFieldsWith,
  STEP_MEASURES,
  type StepMeasure,
  type StoredField,
} from '../../contract/index.js';
import { type Column, integer, orNull, real, text } from './columns.js';

/** Lists and objects are stored as JSON. */
const KINDS = {
  id: text,
  text,
  status: text,
  time: text,
  count: integer,
  loss: real,
  score: text,
  tags: text,
  group: text,
  origin: text,
} satisfies Record<FieldKind, (rules?: string) => Column<unknown>>;

type JobField<Name extends StoredField> = (typeof JOB_FIELDS)[Name];
type JobColumns = {
  [Name in StoredField as JobField<Name>['column']]: Column<
    | (JobField<Name>['kind'] extends 'count' | 'loss' ? number : string)
    | (JobField<Name> extends { missing: null } ? null : never)
  >;
};

export const jobColumns = Object.fromEntries(
  jobFieldsWith('column').map(({ kind, missing, column }) => {
    if (missing === null) return [column, orNull<string | number>(KINDS[kind]())];
    const value = typeof missing === 'object' ? JSON.stringify(missing) : missing;
    return [column, KINDS[kind](value === undefined ? '' : `DEFAULT '${value}'`)];
  }),
) as JobColumns;

export const measureColumns = Object.fromEntries(STEP_MEASURES.map(name => [name, orNull(real())])) as Record<
  StepMeasure,
  Column<number | null>
>;
