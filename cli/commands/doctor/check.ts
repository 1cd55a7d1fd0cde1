// What one check of the doctor found.
export interface Check {
  name: string;
  status: 'ok' | 'warning' | 'problem';
  message: string;
  /** What to do next; null when nothing is to be done. */
  hint: string | null;
}
