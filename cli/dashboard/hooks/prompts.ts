// Text fields at the bottom of the screen.
import {
  draftOf,
  type Editable,
  errorText,
  type JobDraft,
  jobNameProblem,
  toJobPatch,
  toSafeLine,
} from '../../../lib/console/index.js';
import type { Job, JobSummary } from '../../../lib/contract/index.js';
import type { Dashboard } from '../dashboard-context.js';
import type { Commands } from '../keys/bindings.js';

/** The commands that rename a job, tag it and edit its note. */
export function editCommands(
  dashboard: Dashboard,
  job: Editable & Pick<JobSummary, 'id'>,
  onSaved: (job: Job) => void,
): Commands {
  const { client, reach, signal, notify, prompt } = dashboard;
  const draft = draftOf(job);

  async function save(changed: JobDraft): Promise<void> {
    const patch = toJobPatch(job, changed);
    if (!patch) return;
    try {
      onSaved((await reach(client.updateJob(job.id, patch, { signal }))).job);
    } catch (error) {
      if (!signal.aborted) notify(errorText(error), 'failed');
    }
  }

  const edit = (field: keyof JobDraft, label: string) => () => {
    // A text field has one line.
    const value = toSafeLine(draft[field]);
    prompt({
      scope: 'editing',
      label,
      value,
      submit(text) {
        const problem = field === 'name' ? jobNameProblem(text) : null;
        if (problem) notify(problem, 'warning');
        else if (text !== value) void save({ ...draft, [field]: text });
        return problem === null ? null : text;
      },
    });
  };
  return {
    rename: edit('name', 'Name: '),
    editTags: edit('tags', 'Tags, separated by commas: '),
    editNote: edit('note', 'Note: '),
  };
}

/** For search text, which takes effect while it is typed. */
export function promptSearch(
  { prompt }: Dashboard,
  { label = '/', value, change }: { label?: string; value: string; change(text: string): void },
): void {
  prompt({
    scope: 'search',
    label,
    value,
    change,
    submit: () => null,
    leave() {
      change('');
      return false;
    },
  });
}
