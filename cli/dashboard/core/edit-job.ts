// The commands that rename a job, tag it and note something, each in a text field at the bottom of the screen.
import {
  draftOf,
  type JobDraft,
  jobNameProblem,
  toJobPatch,
  toSafeLine,
} from '../../../lib/console/index.js';
import type { Job, JobSummary } from '../../../lib/contract/index.js';
import type { Commands } from './bindings.js';
import type { Context } from './context.js';
import { toMessage } from './fetched.js';

type Editable = Pick<JobSummary, 'id' | 'name'> & Partial<Pick<JobSummary, 'tags' | 'note'>>;

export function editCommands(context: Context, job: Editable, onSaved: (job: Job) => void): Commands {
  const edit = (field: keyof JobDraft, label: string) => () =>
    askFor(context, job, { field, label, onSaved });
  return {
    rename: edit('name', 'Name: '),
    editTags: edit('tags', 'Tags, separated by commas: '),
    editNote: edit('note', 'Note: '),
  };
}

interface Asked {
  field: keyof JobDraft;
  label: string;
  onSaved: (job: Job) => void;
}

function askFor(context: Context, job: Editable, { field, label, onSaved }: Asked): void {
  const draft = draftOf(job);
  // A text field has one line.
  const value = toSafeLine(draft[field]);
  context.prompt({
    scope: 'editing',
    label,
    value,
    submit(text) {
      const problem = field === 'name' ? jobNameProblem(text) : null;
      if (problem) context.notify(problem, 'warning');
      else if (text !== value) void save(context, job, { ...draft, [field]: text }, onSaved);
      return problem === null ? null : text;
    },
  });
}

async function save(
  { client, reach, signal, notify }: Context,
  job: Editable,
  draft: JobDraft,
  onSaved: (job: Job) => void,
): Promise<void> {
  const patch = toJobPatch(job, draft);
  if (!patch) return;
  try {
    onSaved((await reach(client.updateJob(job.id, patch, { signal }))).job);
  } catch (error) {
    if (!signal.aborted) notify(toMessage(error), 'failed');
  }
}
