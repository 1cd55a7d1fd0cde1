// The form that creates an endpoint: its commands, and what happens to the entries.
import {
  completeDraft,
  draftField,
  draftProblems,
  toDeploymentInput,
} from '../../../../lib/console/index.js';
import { ApiError } from '../../../../lib/contract/index.js';
import type { Commands } from '../../core/bindings.js';
import type { Context } from '../../core/context.js';
import { toMessage } from '../../core/fetched.js';
import { type FormAction, type FormState, isTextField } from './form-state.js';
import type { EndpointsStore } from './state.js';

export interface EndpointsPage {
  readonly context: Context;
  readonly store: EndpointsStore;
  refresh(): Promise<void>;
}

export function formCommands(page: EndpointsPage, { focus }: FormState): Commands {
  const { store } = page;
  const form = (action: FormAction) => store.dispatch({ type: 'form', action });
  const next = () => form({ type: 'focus', distance: 1 });
  const submit = () => void create(page);
  return {
    nextField: next,
    previousField: () => form({ type: 'focus', distance: -1 }),
    ...((focus === 'kind' || focus === 'authMode') && {
      nextChoice: () => form({ type: 'choose', distance: 1 }),
      previousChoice: () => form({ type: 'choose', distance: -1 }),
    }),
    submit: focus === 'create' ? submit : next,
    create: submit,
    leaveForm: () => store.dispatch({ type: 'leaveForm' }),
    clearField: () => void (isTextField(focus) && form({ type: 'typed', field: focus, text: '' })),
  };
}

async function create({ context, store, refresh }: EndpointsPage): Promise<void> {
  const { client, reach, signal, identity } = context;
  const { draft, isSending } = store.state.form ?? {};
  if (!draft || isSending) return;
  const baseModel = identity?.baseModel ?? null;
  const form = (action: FormAction) => store.dispatch({ type: 'form', action });
  const problems = draftProblems(draft, baseModel);
  if (Object.keys(problems).length > 0) return form({ type: 'refused', problems, problem: null });
  form({ type: 'sending' });
  try {
    const whole = await completeDraft(draft, async () => (await reach(client.listJobs({ signal }))).jobs);
    const input = toDeploymentInput(whole, baseModel);
    const { deployment } = await reach(client.createDeployment(input, { signal }));
    store.dispatch({ type: 'created', id: deployment.id });
    context.notify(`Created endpoint ${deployment.slug}.`, 'completed');
    context.refreshIdentity();
    await refresh();
  } catch (error) {
    if (signal.aborted) return;
    if (store.state.form) form(toRefusal(error));
    else context.notify(toMessage(error), 'failed');
  }
}

/** The error at the field that it is about, or below the form. */
function toRefusal(error: unknown): FormAction {
  const field = error instanceof ApiError ? draftField(error.param) : null;
  const message = toMessage(error);
  return field
    ? { type: 'refused', problems: { [field]: message }, problem: null }
    : { type: 'refused', problems: {}, problem: message };
}
