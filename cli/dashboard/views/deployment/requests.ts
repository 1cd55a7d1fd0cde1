// The requests of an endpoint's page. Answers that arrive after the user left the page are dropped.
import type { DeploymentPatch } from '../../../../lib/contract/index.js';
import type { Context } from '../../core/context.js';
import { fetchInto, toMessage } from '../../core/fetched.js';
import type { DeploymentAction, DeploymentStore } from './state.js';

export type DeploymentRequests = ReturnType<typeof createRequests>;

export function createRequests(context: Context, store: DeploymentStore) {
  const { client, reach, signal } = context;

  /** Starts one request at a time: while another one is pending, it does nothing. */
  async function change(request: (id: string) => Promise<DeploymentAction>): Promise<void> {
    const { id, isBusy } = store.state;
    if (isBusy) return;
    const dispatch = dispatchWhileOpen(store);
    dispatch({ type: 'asked' });
    try {
      dispatch(await request(id));
    } catch (error) {
      if (!signal.aborted) dispatch({ type: 'refused', problem: toMessage(error) });
    }
    dispatch({ type: 'answered' });
  }

  return {
    refresh: () => refresh(context, store),
    update: (patch: DeploymentPatch) =>
      change(async id => {
        const { deployment } = await reach(client.updateDeployment(id, patch, { signal }));
        return { type: 'deployment', action: { type: 'fetched', value: deployment } };
      }),
    issueKey: (label: string) =>
      change(async id => {
        const { key } = await reach(client.issueDeploymentKey(id, label, { signal }));
        return { type: 'issued', key };
      }),
    revokeKey: (keyId: string) =>
      change(async id => {
        const { key } = await reach(client.revokeDeploymentKey(id, keyId, { signal }));
        return { type: 'revoked', key };
      }),
  };
}

async function refresh(context: Context, store: DeploymentStore): Promise<void> {
  const { client, signal } = context;
  const { id } = store.state;
  const dispatch = dispatchWhileOpen(store);
  await Promise.all([
    fetchInto(
      context,
      async () => (await client.getDeployment(id, { signal })).deployment,
      action => dispatch({ type: 'deployment', action }),
    ),
    fetchInto(
      context,
      async () => (await client.listDeploymentKeys(id, { signal })).keys,
      action => dispatch({ type: 'keys', action }),
    ),
  ]);
}

function dispatchWhileOpen(store: DeploymentStore): (action: DeploymentAction) => void {
  const { id } = store.state;
  return action => {
    if (store.state.id === id) store.dispatch(action);
  };
}
