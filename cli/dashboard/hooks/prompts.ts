// Text fields at the bottom of the screen.
import {
  draftOf,
  EDITABLE_FIELDS,
  type Editable,
  errorText,
  fieldProblem,
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

  /** Returns the job as it is then; null if the cloud refused. */
  async function save(known: Editable, changed: JobDraft): Promise<Editable | null> {
    const patch = toJobPatch(known, changed);
    if (!patch) return known;
    try {
      const saved = (await reach(client.updateJob(job.id, patch, { signal }))).job;
      onSaved(saved);
      return saved;
    } catch (error) {
      if (!signal.aborted) notify(errorText(error), 'failed');
      return null;
    }
  }

  const edit = (field: (typeof EDITABLE_FIELDS)[number]) => () => {
    const { name } = field;
    const before = draftOf(job)[name];
    const lost = fieldProblem(before);
    if (lost) return notify(lost, 'warning');
    // What is typed while one is being saved is an edit of the saved one.
    let known: Editable = job;
    let isSaving = false;
    prompt({
      scope: 'editing',
      label: `${lineLabel(field)}: `,
      value: toFieldLine(before),
      async submit(text) {
        const draft = draftOf(known);
        const problem = (name === 'name' ? jobNameProblem(text) : null) ?? (isSaving ? BUSY : null);
        if (problem) notify(problem, 'warning');
        if (problem || text === toFieldLine(draft[name])) return problem === null ? null : text;
        isSaving = true;
        const saved = await save(known, { ...draft, [name]: toFieldText(text, draft[name]) });
        isSaving = false;
        known = saved ?? known;
        return saved ? null : text;
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
