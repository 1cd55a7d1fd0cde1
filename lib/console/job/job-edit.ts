// Form input for renaming a job, tagging it or editing its note, and the resulting change.
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

/** The editable fields, in form order. */
export const EDITABLE_FIELDS = jobFieldsWith('edit');

export function draftOf(job: Editable): JobDraft {
  const texts = EDITABLE_FIELDS.map(({ name }) => [name, [job[name] ?? ''].flat().join(', ')]);
  return Object.fromEntries(texts);
}

export function readTags(text: string): string[] {
  return [...new Set(text.split(',').map(tag => tag.trim()))].filter(Boolean);
}

/** Parses what was typed into a field of this kind. */
export function readField(kind: FieldKind, text: string): string | string[] {
  return kind === 'tags' ? readTags(text) : text.trim();
}

/** The fields that changed; null if none did. */
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
