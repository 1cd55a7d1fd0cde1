// The templates of `svc init`: what each project begins with.
import { blank } from './templates/blank.js';
import { fromExample } from './templates/from-example.js';

export interface ProjectFile {
  /** From the project's folder, with forward slashes. */
  path: string;
  content: string;
  /** What it is, for who sees it for the first time. */
  note: string;
}

/** Makes the files of a project of this name. */
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
