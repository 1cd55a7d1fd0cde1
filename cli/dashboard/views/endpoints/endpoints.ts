// The behavior of the endpoints list and its form. The list is fetched on entry and on request, not periodically.
import { draftField, draftProblems, plural, toDeploymentInput } from '../../../../lib/console/index.js';
import { ApiError } from '../../../../lib/contract/index.js';
import type { Commands } from '../../core/bindings.js';
import type { Context, View } from '../../core/context.js';
import { fetchInto, toMessage } from '../../core/fetched.js';
import { listCommands } from '../../core/list.js';
import { createStore } from '../../core/store.js';
import { line, quiet } from '../../drawing/line.js';
import { drawEndpoints, endpointsInSight } from './draw.js';
import { drawForm } from './form-drawing.js';
import { type FormAction, isTextField } from './form-state.js';
import { chosenEndpoint, initialEndpoints, reduceEndpoints } from './state.js';

const SCOPES = ['endpoints', 'list', 'anywhere'] as const;
const FORM_SCOPES = ['form', 'typing'] as const;

export function createEndpoints(context: Context): View {
  const { client, signal } = context;
  const store = createStore(reduceEndpoints, initialEndpoints, context.changed);
  const form = (action: FormAction) => store.dispatch({ type: 'form', action });
  const baseModel = () => context.identity?.baseModel ?? null;

  function refresh(): Promise<void> {
    return fetchInto(
      context,
      async () => (await client.listDeployments({ signal })).deployments,
      action => store.dispatch({ type: 'fetch', action }),
    );
  }

  async function create(): Promise<void> {
    const { draft, isSending } = store.state.form ?? {};
    if (!draft || isSending) return;
    const problems = draftProblems(draft, baseModel());
    if (Object.keys(problems).length > 0) return form({ type: 'refused', problems, problem: null });
    form({ type: 'sending' });
    try {
      const input = toDeploymentInput(draft, baseModel());
      const { deployment } = await context.reach(client.createDeployment(input, { signal }));
      store.dispatch({ type: 'created', id: deployment.id });
      context.notify(`Created endpoint ${deployment.slug}.`, 'completed');
      context.refreshIdentity();
      await refresh();
    } catch (error) {
      if (!signal.aborted) refuse(error);
    }
  }

  function refuse(error: unknown): void {
    const field = error instanceof ApiError ? draftField(error.param) : null;
    const problem = toMessage(error);
    if (store.state.form)
      form({ type: 'refused', problems: field ? { [field]: problem } : {}, problem: field ? null : problem });
    else context.notify(problem, 'failed');
  }

  function formCommands(): Commands {
    const focus = store.state.form?.focus;
    const next = () => form({ type: 'focus', distance: 1 });
    return {
      nextField: next,
      previousField: () => form({ type: 'focus', distance: -1 }),
      ...((focus === 'kind' || focus === 'authMode') && {
        nextChoice: () => form({ type: 'choose', distance: 1 }),
        previousChoice: () => form({ type: 'choose', distance: -1 }),
      }),
      submit: focus === 'create' ? () => void create() : next,
      create: () => void create(),
      leaveForm: () => store.dispatch({ type: 'leaveForm' }),
      clearField: () => void (focus && isTextField(focus) && form({ type: 'typed', field: focus, text: '' })),
    };
  }

  function commands(): Commands {
    const chosen = chosenEndpoint(store.state);
    const height = endpointsInSight(store.state, context.canvas);
    return {
      refresh: () => void refresh(),
      newEndpoint: () => store.dispatch({ type: 'openForm' }),
      ...(chosen && {
        ...listCommands(distance => store.dispatch({ type: 'move', distance, height }), height),
        openChosen: () => context.go({ place: 'endpoints', id: chosen.id }),
        copy: () => context.copy(chosen.url, 'the endpoint URL'),
      }),
    };
  }

  const isTyping = () => store.state.form !== null && isTextField(store.state.form.focus);

  return {
    get scopes() {
      return store.state.form ? FORM_SCOPES : SCOPES;
    },
    commands: () => (store.state.form ? formCommands() : commands()),
    get isTyping() {
      return isTyping();
    },
    enter: () => void refresh(),
    leave: () => store.dispatch({ type: 'leaveForm' }),
    draw: canvas =>
      store.state.form
        ? drawForm(
            store.state.form,
            { baseModel: baseModel(), type: (field, text) => form({ type: 'typed', field, text }) },
            canvas,
          )
        : drawEndpoints(store.state, canvas),
    foot: () =>
      store.state.form || !store.state.fetched.value
        ? []
        : line(plural(store.state.fetched.value.length, 'endpoint'), quiet),
  };
}
