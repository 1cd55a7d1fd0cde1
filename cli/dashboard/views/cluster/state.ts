// The state of the cluster's view: the cluster as last fetched, and the selected row of its nodes and waiting jobs.
import { clusterRows } from '../../../../lib/console/index.js';
import type { ClusterAnswer } from '../../../../lib/contract/index.js';
import { type FetchAction, type Fetched, notFetched, reduceFetched } from '../../core/fetched.js';
import { chosenIndex, moveSelection, type Selection } from '../../core/list.js';
import type { Store } from '../../core/store.js';

type Rows = ReturnType<typeof clusterRows>;

/** A node, or a job that waits for a place. */
export type ClusterItem =
  | { readonly id: string; readonly node: Rows['nodes'][number] }
  | { readonly id: string; readonly waiting: Rows['waiting'][number] };

export interface ClusterState extends Selection {
  readonly fetched: Fetched<ClusterAnswer>;
}

type ClusterAction =
  | { readonly type: 'fetch'; readonly action: FetchAction<ClusterAnswer> }
  | { readonly type: 'move'; readonly distance: number; readonly height: number };

export type ClusterStore = Store<ClusterState, ClusterAction>;

export const initialCluster: ClusterState = { fetched: notFetched, chosen: null, top: 0 };

export function reduceCluster(state: ClusterState, action: ClusterAction): ClusterState {
  if (action.type === 'move') return moveSelection(state, itemsIn(state), action);
  const fetched = reduceFetched(state.fetched, action.action);
  return fetched === state.fetched ? state : { ...state, fetched };
}

export function itemsIn({ fetched }: ClusterState): ClusterItem[] {
  const cluster = fetched.value?.cluster;
  if (!cluster || cluster.problem !== null) return [];
  const { nodes, waiting } = clusterRows(cluster);
  return [
    ...nodes.map((node, index) => ({ id: `node ${index}`, node })),
    ...waiting.map(one => ({ id: one.jobId, waiting: one })),
  ];
}

export function chosenItem(state: ClusterState): number {
  return chosenIndex(itemsIn(state), state.chosen);
}

/** The job that is shown in the row, or the first of several; null for a node without one. */
export function jobOf(item: ClusterItem | undefined): string | null {
  if (!item) return null;
  return 'node' in item ? (item.node.jobIds[0] ?? null) : item.waiting.jobId;
}
