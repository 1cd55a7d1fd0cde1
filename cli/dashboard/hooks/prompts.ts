// Text fields at the bottom of the screen.
import {
  draftOf,
  EDITABLE_FIELDS,
  type Editable,
  errorText,
  type JobDraft,
  jobNameProblem,
  lineLabel,
  toJobPatch,
  toSafeLine,
} from '../../../lib/console/index.js';
import type { Job, JobSummary } from '../../../lib/contract/index.js';
import type { Dashboard } from '../dashboard-context.js';
import { type Commands, commandOf } from '../keys/bindings.js';

/** The commands that edit a job, one for each field that can be. */
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

  const edit = (field: (typeof EDITABLE_FIELDS)[number]) => () => {
    const { name } = field;
    // A text field has one line.
    const value = toSafeLine(draft[name]);
    prompt({
      scope: 'editing',
      label: `${lineLabel(field)}: `,
      value,
      submit(text) {
        const problem = name === 'name' ? jobNameProblem(text) : null;
        if (problem) notify(problem, 'warning');
        else if (text !== value) void save({ ...draft, [name]: text });
        return problem === null ? null : text;
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
