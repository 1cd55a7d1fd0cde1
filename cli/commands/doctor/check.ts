// The result of one check.
export interface Check {
  name: string;
  status: 'ok' | 'warning' | 'problem';
  message: string;
  /** What to do next; null if nothing. */
  hint: string | null;
}
