// The templates of `svc init`.
import { blank } from './templates/blank.js';
import { fromExample } from './templates/from-example.js';
import type { ProjectFile } from './templates/project-file.js';

/** Returns the files of a project with this name. */
export type Template = (name: string) => ProjectFile[] | Promise<ProjectFile[]>;

export const TEMPLATES: Readonly<Record<string, Template>> = {
  blank,
  triage: () => fromExample('support-triage'),
  redaction: () => fromExample('redaction'),
  translate: () => fromExample('translate'),
};

export const DEFAULT_TEMPLATE = 'blank';
