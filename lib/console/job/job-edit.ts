// What a user types to rename a job, tag it or note something: text in, the change out.
import {
  type EditableField,
  type FieldKind,
  type JobPatch,
  type JobSummary,
  jobFieldsWith,
} from '../../contract/index.js';

/** Tags are separated by commas. */
export type JobDraft = Readonly<Record<EditableField, string>>;

export type Editable = Pick<JobSummary, EditableField>;

/** In the order of a form. */
export const EDITABLE_FIELDS = jobFieldsWith('edit');

export function draftOf(job: Editable): JobDraft {
  const texts = EDITABLE_FIELDS.map(({ name }) => [name, [job[name] ?? ''].flat().join(', ')]);
  return Object.fromEntries(texts);
}

export function readTags(text: string): string[] {
  return [...new Set(text.split(',').map(tag => tag.trim()))].filter(Boolean);
}

/** What was typed into a field of this kind. */
export function readField(kind: FieldKind, text: string): string | string[] {
  return kind === 'tags' ? readTags(text) : text.trim();
}

/** What differs from the job; null if nothing does. */
export function toJobPatch(job: Editable, draft: JobDraft): JobPatch | null {
  const before = draftOf(job);
  const changed = EDITABLE_FIELDS.flatMap(({ name, kind }) => {
    const [was, is] = [before[name], draft[name]].map(text => readField(kind, text));
    return String(was) === String(is) ? [] : [[name, is]];
  });
  return changed.length === 0 ? null : Object.fromEntries(changed);
}

export function jobNameProblem(name: string): string | null {
  return name.trim() === '' ? 'A job needs a name.' : null;
}
