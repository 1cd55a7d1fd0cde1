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
import { type Commands, commandOf, type Scope } from '../keys/bindings.js';

export const BUSY = 'The cloud has yet to answer. Try again then.';

/** The commands that edit a job, one for each field that can be. */
export function editCommands(
  dashboard: Dashboard,
  job: Editable & Pick<JobSummary, 'id'>,
  onSaved: (job: Job) => void,
): Commands {
  const { client, reach, signal, notify } = dashboard;

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
    promptEdit<Editable>(dashboard, {
      scope: 'editing',
      label: `${lineLabel(field)}: `,
      value: job,
      textOf: known => draftOf(known)[name],
      async save(text, known) {
        const problem = name === 'name' ? jobNameProblem(text) : null;
        if (problem) notify(problem, 'warning');
        return problem === null ? save(known, { ...draftOf(known), [name]: text }) : null;
      },
    });
  };
  return Object.fromEntries(EDITABLE_FIELDS.map(field => [commandOf('edit', field.name), edit(field)]));
}

interface Edit<Value> {
  readonly scope: Scope;
  readonly label: string;
  readonly value: Value;
  textOf(value: Value): string;
  /** Returns what is there then, or null if nothing was saved. */
  save(text: string, known: Value): Promise<Value | null>;
}

/** Edits a text that Enter saves. What is typed while it is being saved is an edit of the saved one. */
export function promptEdit<Value>(
  { prompt, notify }: Dashboard,
  { scope, label, value, textOf, save }: Edit<Value>,
): void {
  let known = value;
  let isSaving = false;
  const problem = fieldProblem(textOf(known));
  if (problem) {
    notify(problem, 'warning');
    return;
  }
  prompt({
    scope,
    label,
    value: toFieldLine(textOf(known)),
    async submit(text) {
      const before = textOf(known);
      if (isSaving) {
        notify(BUSY, 'warning');
        return text;
      }
      if (text === toFieldLine(before)) return null;
      isSaving = true;
      const saved = await save(toFieldText(text, before), known);
      isSaving = false;
      known = saved ?? known;
      return saved === null ? text : null;
    },
  });
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
