// What decides how answers are scored.

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

const MOST_LABELS = 20;
const LONGEST_LABEL = 40;
const ROWS_PER_LABEL = 3;

/**
 * What rows without a task are: labels if they have few short answers that repeat, and otherwise texts.
 */
export function inferTask(expected: readonly string[]): ScoredTask {
  const labels = new Set<string>();
  for (const text of expected) {
    labels.add(text.trim());
    if (labels.size > MOST_LABELS) return { kind: 'text' };
  }
  const areLabels =
    labels.size > 1 &&
    expected.length >= ROWS_PER_LABEL * labels.size &&
    [...labels].every(label => label !== '' && label.length <= LONGEST_LABEL && !label.includes('\n'));
  return areLabels ? { kind: 'labels', labels: [...labels].sort() } : { kind: 'text' };
}
