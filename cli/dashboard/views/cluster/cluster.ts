// The cluster that the cloud trains on, reached from the overview. Fetched every few seconds while it is shown.
import type { Commands } from '../../core/bindings.js';
import type { Context, View } from '../../core/context.js';
import { fetchInto } from '../../core/fetched.js';
import { listCommands } from '../../core/list.js';
import { createPoll } from '../../core/poll.js';
import { createStore } from '../../core/store.js';
import { drawCluster, listHeight } from './draw.js';
import { type ClusterStore, chosenItem, initialCluster, itemsIn, jobOf, reduceCluster } from './state.js';

export function createCluster(context: Context): View {
  const store: ClusterStore = createStore(reduceCluster, initialCluster, context.changed);
  const refresh = () =>
    fetchInto(
      context,
      () => context.client.getCluster({ signal: context.signal }),
      action => store.dispatch({ type: 'fetch', action }),
    );
  const poll = createPoll(context.clock, refresh);
  return {
    scopes: ['list', 'anywhere'],
    commands: () => clusterCommands(context, store, refresh),
    enter: poll.start,
    leave: poll.stop,
    draw: canvas => drawCluster(store.state, canvas),
    foot: () => [],
  };
}

function clusterCommands(context: Context, store: ClusterStore, refresh: () => Promise<void>): Commands {
  const items = itemsIn(store.state);
  const height = listHeight(store.state, context.canvas);
  const jobId = jobOf(items[chosenItem(store.state)]);
  return {
    refresh: () => void refresh(),
    ...(items.length > 0 &&
      listCommands(distance => store.dispatch({ type: 'move', distance, height }), height)),
    ...(jobId !== null && {
      openChosen: () => context.go({ tab: 'jobs', id: jobId }),
      copy: () => context.copy(jobId, 'the job ID'),
    }),
  };
}
