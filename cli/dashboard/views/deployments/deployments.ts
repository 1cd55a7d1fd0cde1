// The endpoints list, or the form that creates one. The list is fetched on entry and on request, not periodically.
import type { Commands } from '../../core/bindings.js';
import type { Context, View } from '../../core/context.js';
import { fetchInto } from '../../core/fetched.js';
import { listCommands } from '../../core/list.js';
import { createStore } from '../../core/store.js';
import type { Canvas, Drawn } from '../../drawing/canvas.js';
import { drawDeployments, endpointsInSight, endpointsStatus } from './draw.js';
import { type EndpointsPage, formCommands } from './form.js';
import { drawForm } from './form-drawing.js';
import { isTextField } from './form-state.js';
import { chosenDeployment, initialDeployments, reduceDeployments } from './state.js';

const SCOPES = ['deployments', 'list', 'anywhere'] as const;
const FORM_SCOPES = ['form', 'typing'] as const;

export function createDeploymentsPage(context: Context): View {
  const { client, signal } = context;
  const store = createStore(reduceDeployments, initialDeployments, context.changed);
  const refresh = () =>
    fetchInto(
      context,
      async () => (await client.listDeployments({ signal })).deployments,
      action => store.dispatch({ type: 'fetch', action }),
    );
  const page = { context, store, refresh };
  const form = () => store.state.form;

  return {
    get scopes() {
      return form() ? FORM_SCOPES : SCOPES;
    },
    get isTyping() {
      const focus = form()?.focus;
      return focus !== undefined && isTextField(focus);
    },
    commands: () => {
      const shown = form();
      return shown ? formCommands(page, shown) : rowCommands(page);
    },
    enter(job) {
      if (job !== null) store.dispatch({ type: 'publish', jobId: job });
      void refresh();
    },
    leave: () => store.dispatch({ type: 'leaveForm' }),
    draw: canvas => draw(page, canvas),
    foot: () => endpointsStatus(store.state),
  };
}

function rowCommands({ context, store, refresh }: EndpointsPage): Commands {
  const chosen = chosenDeployment(store.state);
  const height = endpointsInSight(store.state, context.canvas);
  return {
    refresh: () => void refresh(),
    newEndpoint: () => store.dispatch({ type: 'openForm' }),
    ...(chosen && {
      ...listCommands(distance => store.dispatch({ type: 'move', distance, height }), height),
      openChosen: () => context.go({ tab: 'endpoints', id: chosen.id }),
      copy: () => context.copy(chosen.url, 'the endpoint URL'),
    }),
  };
}

function draw({ context, store }: EndpointsPage, canvas: Canvas): Drawn {
  const { form } = store.state;
  if (!form) return drawDeployments(store.state, canvas);
  return drawForm(
    form,
    {
      baseModel: context.identity?.baseModel ?? null,
      type: (field, text) => store.dispatch({ type: 'form', action: { type: 'typed', field, text } }),
    },
    canvas,
  );
}
