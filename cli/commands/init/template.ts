// The templates of `svc init`.
import { blank } from './templates/blank.js';
import { fromExample } from './templates/from-example.js';

export interface ProjectFile {
  /** Relative to the project's folder, with forward slashes. */
  path: string;
  content: string;
  /** What the file is, shown after it is written. */
  note: string;
}

/** Returns the files of a project with this name. */
export type Template = (name: string) => ProjectFile[] | Promise<ProjectFile[]>;

export const TEMPLATES: Readonly<Record<string, Template>> = {
  blank,
  triage: () => fromExample('support-triage'),
  redaction: () => fromExample('redaction'),
  translate: () => fromExample('translate'),
};

export const DEFAULT_TEMPLATE = 'blank';
export const ENTRY = 'src/svc/index.ts';
export const TRAINING_DATA = 'data/train.jsonl';
export const HELD_OUT_DATA = 'data/held-out.jsonl';
