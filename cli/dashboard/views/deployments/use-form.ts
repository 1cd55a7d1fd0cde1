// The form's state, which survives closing it, and the request that it sends.
import { useEffect, useState } from 'react';
import {
  type DeploymentDraft,
  type DraftProblems,
  draftField,
  draftFields,
  draftProblems,
  emptyDraft,
  errorText,
  toDeploymentInput,
} from '../../../../lib/console/index.js';
import { ApiError } from '../../../../lib/contract/index.js';
import { useDashboard, useKept, useShell } from '../../dashboard-context.js';
import { merged } from '../../state/store.js';

export type FieldName = keyof DeploymentDraft | 'create';

interface FormState {
  readonly draft: DeploymentDraft;
  readonly problems: DraftProblems;
  /** The cloud's error, unless it belongs to a field. */
  readonly problem: string | null;
  readonly isSending: boolean;
}

export const noProblems = { problems: {}, problem: null };
const initial: FormState = { draft: emptyDraft, ...noProblems, isSending: false };

export const useForm = () => useKept('new endpoint', merged<FormState>, initial);

/** `isWanted`: the form still has what was sent, and not the next endpoint. */
export type OnCreated = (id: string, isWanted: boolean) => void;

/** Creates the endpoint, or focuses the first invalid field. */
export function useCreate(focus: (field: FieldName) => void, onCreated: OnCreated) {
  const { client, reach, signal, notify, refreshIdentity } = useDashboard();
  const baseModel = useShell().identity?.baseModel ?? null;
  const [, form] = useForm();
  const [leaving] = useState(() => new AbortController());
  useEffect(() => () => leaving.abort(), [leaving]);

  function refuse(problems: DraftProblems, problem: string | null = null): void {
    form.dispatch({ problems, problem, isSending: false });
    const wrong = draftFields(form.state.draft, baseModel).find(({ about }) => problems[about]);
    if (wrong) focus(wrong.name);
  }

  return async () => {
    const { draft, isSending } = form.state;
    const problems = draftProblems(draft, baseModel);
    if (isSending) return;
    if (Object.keys(problems).length > 0) return refuse(problems);
    form.dispatch({ ...noProblems, isSending: true });
    try {
      const listJobs = async () => (await reach(client.listJobs({ signal }))).jobs;
      const input = await toDeploymentInput(draft, baseModel, listJobs);
      const { deployment } = await reach(client.createDeployment(input, { signal }));
      const isWanted = form.state.draft === draft;
      form.dispatch(isWanted ? initial : { isSending: false });
      notify(`Created endpoint ${deployment.slug}.`, 'completed');
      refreshIdentity();
      onCreated(deployment.id, isWanted);
    } catch (error) {
      if (signal.aborted) return;
      const message = errorText(error);
      if (form.state.draft !== draft) {
        form.dispatch({ isSending: false });
        notify(message, 'failed');
        return;
      }
      const field = error instanceof ApiError ? draftField(error.param) : null;
      if (field) refuse({ [field]: message });
      else refuse({}, message);
      if (leaving.signal.aborted) notify(message, 'failed');
    }
  };
}
