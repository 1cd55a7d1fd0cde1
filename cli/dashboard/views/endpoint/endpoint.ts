// An endpoint's page: its settings, its keys and a code sample.
import type { Context, View } from '../../core/context.js';
import { createStore } from '../../core/store.js';
import { endpointCommands } from './commands.js';
import { drawEndpoint, endpointStatus } from './draw.js';
import { createRequests } from './requests.js';
import { initialEndpoint, reduceEndpoint } from './state.js';

export function createEndpoint(context: Context): View {
  const store = createStore(reduceEndpoint, initialEndpoint, context.changed);
  const requests = createRequests(context, store);
  return {
    scopes: ['endpoint', 'anywhere'],
    commands: () => endpointCommands({ context, store, requests }),
    enter(id) {
      store.dispatch({ type: 'opened', id: id ?? '' });
      void requests.refresh();
    },
    leave: () => store.dispatch({ type: 'opened', id: '' }),
    draw: canvas => drawEndpoint(store.state, canvas),
    foot: (_canvas, isPrompting) => endpointStatus(store.state, isPrompting),
  };
}
