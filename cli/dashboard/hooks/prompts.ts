// Text fields at the bottom of the screen.
import {
  draftOf,
  EDITABLE_FIELDS,
  type Editable,
  errorText,
  type JobDraft,
  jobNameProblem,
  lineLabel,
  toFieldLine,
  toFieldText,
  toJobPatch,
} from '../../../lib/console/index.js';
import type { Job, JobSummary } from '../../../lib/contract/index.js';
import type { Dashboard } from '../dashboard-context.js';
import { type Commands, commandOf } from '../keys/bindings.js';

export const BUSY = 'The cloud has yet to answer. Try again then.';

/** The commands that edit a job, one for each field that can be. */
export function editCommands(
  dashboard: Dashboard,
  job: Editable & Pick<JobSummary, 'id'>,
  onSaved: (job: Job) => void,
): Commands {
  const { client, reach, signal, notify, prompt } = dashboard;
  const draft = draftOf(job);

  /** Returns whether it is saved. */
  async function save(changed: JobDraft): Promise<boolean> {
    const patch = toJobPatch(job, changed);
    if (!patch) return true;
    try {
      onSaved((await reach(client.updateJob(job.id, patch, { signal }))).job);
      return true;
    } catch (error) {
      if (!signal.aborted) notify(errorText(error), 'failed');
      return false;
    }
  }

  const edit = (field: (typeof EDITABLE_FIELDS)[number]) => () => {
    const { name } = field;
    const value = toFieldLine(draft[name]);
    let isSaving = false;
    prompt({
      scope: 'editing',
      label: `${lineLabel(field)}: `,
      value,
      async submit(text) {
        const problem = (name === 'name' ? jobNameProblem(text) : null) ?? (isSaving ? BUSY : null);
        if (problem) notify(problem, 'warning');
        if (problem || text === value) return problem === null ? null : text;
        isSaving = true;
        const isSaved = await save({ ...draft, [name]: toFieldText(text, draft[name]) });
        isSaving = false;
        return isSaved ? null : text;
      },
    });
  };
  return Object.fromEntries(EDITABLE_FIELDS.map(field => [commandOf('edit', field.name), edit(field)]));
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
