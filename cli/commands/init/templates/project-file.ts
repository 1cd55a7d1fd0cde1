// What a template makes, and where its files go.
export interface ProjectFile {
  /** Relative to the project's folder, with forward slashes. */
  path: string;
  content: string;
  /** What the file is, shown after it is written. */
  note: string;
}

export const ENTRY = 'src/svc/index.ts';
export const TRAINING_DATA = 'data/train.jsonl';
export const HELD_OUT_DATA = 'data/held-out.jsonl';
