/** What one check of a cluster found. */
export interface Finding {
  name: string;
  status: 'ok' | 'warning' | 'problem';
  message: string;
  /** What to do next; null if nothing. */
  hint: string | null;
}

const MOST_NAMES = 3;

/** "10.0.0.7, 10.0.0.8 and 4 more" */
export function listNames(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  const shown = names.slice(0, MOST_NAMES).join(', ');
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}
