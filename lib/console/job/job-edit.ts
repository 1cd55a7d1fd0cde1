// Form input for the editable fields of a job, and the resulting change.
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

/** Texts that are separated by commas, once each. */
export function readList(text: string): string[] {
  return [...new Set(text.split(',').map(part => part.trim()))].filter(Boolean);
}

/** Parses what was typed into a field of this kind. */
export function readField(kind: FieldKind, text: string): string | string[] {
  return kind === 'tags' ? readList(text) : text.trim();
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

/** A field's label in one line with its hint: `Tags, separated by commas`. */
export function lineLabel({ label, edit: { hint = '' } }: (typeof EDITABLE_FIELDS)[number]): string {
  return [label, hint.charAt(0).toLowerCase() + hint.slice(1).replace(/\.$/, '')].filter(Boolean).join(', ');
}

export function jobNameProblem(name: string): string | null {
  return name.trim() === '' ? 'A job needs a name.' : null;
}
