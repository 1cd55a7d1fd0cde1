// What a user types to rename a job, tag it or note something: text in, the change out.
import type { JobPatch, JobSummary } from '../../contract/index.js';

export interface JobDraft {
  readonly name: string;
  /** Separated by commas. */
  readonly tags: string;
  readonly note: string;
}

type Labels = Pick<JobSummary, 'name'> & Partial<Pick<JobSummary, 'tags' | 'note'>>;

export function draftOf({ name, tags = [], note }: Labels): JobDraft {
  return { name, tags: tags.join(', '), note: note ?? '' };
}

export function readTags(text: string): string[] {
  return [...new Set(text.split(',').map(tag => tag.trim()))].filter(Boolean);
}

/** What differs from the job; null if nothing does. */
export function toJobPatch(job: Labels, { name, tags, note }: JobDraft): JobPatch | null {
  const [wasTags, isTags] = [job.tags ?? [], readTags(tags)];
  const patch: JobPatch = {
    ...(name.trim() !== job.name && { name: name.trim() }),
    ...(wasTags.join() !== isTags.join() && { tags: isTags }),
    ...(note.trim() !== (job.note ?? '') && { note: note.trim() }),
  };
  return Object.keys(patch).length === 0 ? null : patch;
}

export function jobNameProblem(name: string): string | null {
  return name.trim() === '' ? 'A job needs a name.' : null;
}
