// What decides how answers are scored.
import { isRecord, readValue, type Value } from './values.js';

/** A field of an answer. */
interface ScoredField {
  readonly name: string;
  readonly type: string;
}

/** The part of a task's description that scores depend on. */
export interface ScoredTask {
  /** `labels`: one of several texts. `fields`: an object. `text`: any other text. */
  readonly kind: 'labels' | 'fields' | 'text';
  /** Of the kind `labels`. */
  readonly labels?: readonly string[] | undefined;
  /** Of the kind `fields`. */
  readonly fields?: readonly ScoredField[] | undefined;
  /** The JSON schema that an answer has to fit. */
  readonly output?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * What rows without a task are: objects with fields, labels if they have few short answers that repeat, and otherwise texts.
 */
export function inferTask(expected: readonly string[]): ScoredTask {
  return inferFields(expected) ?? inferLabels(expected) ?? { kind: 'text' };
}

const MOST_FIELDS = 50;

function inferFields(expected: readonly string[]): ScoredTask | null {
  const types = new Map<string, string>();
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

function typeOf(value: Value): string {
  if (Array.isArray(value)) return 'list';
  if (value === null) return 'any';
  return typeof value === 'string' ? 'text' : typeof value;
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
