// The task of rows that have none: how their answers are scored.
import type { TaskDescription } from '../contract/index.js';
import { isRecord, readValue, type Value } from './texts.js';

/** The parts of a task's description that scores depend on. */
export type ScoredTask = {
  readonly kind: TaskDescription['kind'] | 'calls' | 'reward';
  /** Of rewards, the names of what they are computed from. */
  readonly parts?: readonly string[];
} & Partial<Pick<TaskDescription, 'labels' | 'fields' | 'output'>>;

type FieldType = NonNullable<TaskDescription['fields']>[number]['type'];

/** Of a row, the answer that is expected: a text, and the functions that it calls if the row offers any. */
interface Expected {
  readonly expected: string;
  readonly calls?: unknown;
}

/**
 * What rows without a task are: calls if any of them offers functions, objects with fields, labels if they have few short answers
 * that repeat, and otherwise texts.
 */
export function inferTask(rows: readonly Expected[]): ScoredTask {
  if (rows.some(({ calls }) => calls !== undefined)) return { kind: 'calls' };
  const expected = rows.map(row => row.expected);
  return inferFields(expected) ?? inferLabels(expected) ?? { kind: 'text' };
}

const MOST_FIELDS = 50;

function inferFields(expected: readonly string[]): ScoredTask | null {
  const types = new Map<string, FieldType>();
  for (const text of expected) {
    const value = text.trimStart().startsWith('{') ? readValue(text) : undefined;
    if (!isRecord(value)) return null;
    for (const [name, part] of Object.entries(value)) {
      const type = typeOf(part);
      types.set(name, (types.get(name) ?? type) === type ? type : 'any');
    }
    if (types.size > MOST_FIELDS) return null;
  }
  return types.size === 0
    ? null
    : { kind: 'fields', fields: [...types].map(([name, type]) => ({ name, type })) };
}

function typeOf(value: Value): FieldType {
  if (Array.isArray(value)) return 'list';
  if (value === null) return 'any';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'object';
}

const MOST_LABELS = 20;
const LONGEST_LABEL = 40;
const ROWS_PER_LABEL = 3;

function inferLabels(expected: readonly string[]): ScoredTask | null {
  const labels = new Set<string>();
  for (const text of expected) {
    labels.add(text.trim());
    if (labels.size > MOST_LABELS) return null;
  }
  const areLabels =
    labels.size > 1 &&
    expected.length >= ROWS_PER_LABEL * labels.size &&
    [...labels].every(label => label !== '' && label.length <= LONGEST_LABEL && !label.includes('\n'));
  return areLabels ? { kind: 'labels', labels: [...labels].sort() } : null;
}
