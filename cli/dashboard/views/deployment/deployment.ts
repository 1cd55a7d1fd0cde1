// An endpoint's page: its settings, its keys and a code sample.
import type { Context, View } from '../../core/context.js';
import { createStore } from '../../core/store.js';
import { deploymentCommands } from './commands.js';
import { deploymentStatus, drawDeployment } from './draw.js';
import { createRequests } from './requests.js';
import { initialDeployment, reduceDeployment } from './state.js';

export function createDeploymentPage(context: Context): View {
  const store = createStore(reduceDeployment, initialDeployment, context.changed);
  const requests = createRequests(context, store);
  return {
    scopes: ['deployment', 'anywhere'],
    commands: () => deploymentCommands({ context, store, requests }),
    enter(id) {
      store.dispatch({ type: 'opened', id: id ?? '' });
      void requests.refresh();
    },
    leave: () => store.dispatch({ type: 'opened', id: '' }),
    draw: canvas => drawDeployment(store.state, canvas),
    foot: (_canvas, isPrompting) => deploymentStatus(store.state, isPrompting),
  };
}
