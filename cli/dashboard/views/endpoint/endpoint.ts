// The behavior of an endpoint's page: its settings and keys. Asks first before making it public or breaking callers.
import { keyLabelProblem, operationUrl, quickStart } from '../../../../lib/console/index.js';
import type { Deployment, DeploymentPatch, Key } from '../../../../lib/contract/index.js';
import type { Commands } from '../../core/bindings.js';
import type { Context, View } from '../../core/context.js';
import { fetchInto, toMessage } from '../../core/fetched.js';
import { createStore } from '../../core/store.js';
import { drawEndpoint, endpointStatus, isShown, isWideEndpoint, PAGES, type Part } from './draw.js';
import { chosenKey, initialEndpoint, reduceEndpoint } from './state.js';

export function createEndpoint(context: Context): View {
  const { client, signal } = context;
  const store = createStore(reduceEndpoint, initialEndpoint, context.changed);

  async function refresh(): Promise<void> {
    const { id } = store.state;
    const isHere = () => store.state.id === id;
    await Promise.all([
      fetchInto(
        context,
        async () => (await client.getDeployment(id, { signal })).deployment,
        action => isHere() && store.dispatch({ type: 'endpoint', action }),
      ),
      fetchInto(
        context,
        async () => (await client.listDeploymentKeys(id, { signal })).keys,
        action => isHere() && store.dispatch({ type: 'keys', action }),
      ),
    ]);
  }

  /** One request at a time: a key press while another request is pending does nothing. */
  async function act(work: (id: string) => Promise<() => void>): Promise<void> {
    const { id, isBusy } = store.state;
    if (isBusy) return;
    store.dispatch({ type: 'asked' });
    try {
      const apply = await work(id);
      if (store.state.id === id) apply();
    } catch (error) {
      if (!signal.aborted && store.state.id === id)
        store.dispatch({ type: 'refused', problem: toMessage(error) });
    }
    if (store.state.id === id) store.dispatch({ type: 'answered' });
  }

  const update = (patch: DeploymentPatch) =>
    void act(async id => {
      const { deployment } = await context.reach(client.updateDeployment(id, patch, { signal }));
      return () => store.dispatch({ type: 'endpoint', action: { type: 'fetched', value: deployment } });
    });

  const issue = (label: string) =>
    void act(async id => {
      const { key } = await context.reach(client.issueDeploymentKey(id, label, { signal }));
      return () => store.dispatch({ type: 'issued', key });
    });

  const revoke = (keyId: string) =>
    void act(async id => {
      const { key } = await context.reach(client.revokeDeploymentKey(id, keyId, { signal }));
      return () => store.dispatch({ type: 'revoked', key });
    });

  function askLabel(): void {
    context.prompt({
      scope: 'label',
      label: 'Key label: ',
      value: '',
      submit(text) {
        const problem = keyLabelProblem(text);
        if (problem) context.notify(problem, 'warning');
        else issue(text.trim());
        return problem ? text : null;
      },
    });
  }

  function toggleEnabled({ slug, enabled }: Deployment): void {
    const text = `Disable ${slug}? Calls to it will get 404.`;
    if (enabled) context.ask({ text, yes: () => update({ enabled: false }) });
    else update({ enabled: true });
  }

  function nextAuthMode({ slug, authMode }: Deployment): void {
    const text = `Make ${slug} public? With none, anyone with the URL can call it.`;
    if (authMode === 'none') update({ authMode: 'fixed_api_key' });
    else context.ask({ text, yes: () => update({ authMode: 'none' }) });
  }

  function askRevoke({ id, label }: Key): void {
    context.ask({ text: `Revoke key ${label}? Calls that use it will be rejected.`, yes: () => revoke(id) });
  }

  function copy(deployment: Deployment): void {
    const { issued } = store.state;
    if (issued) context.copy(issued.plaintext, 'the key');
    else context.copy(operationUrl(deployment), 'the URL');
  }

  /** If keys and quick start do not both fit, each has its own page with its own commands. */
  function settingCommands(deployment: Deployment): Commands {
    const { language, page } = store.state;
    const shows = (part: Part) => isShown(part, store.state, context.canvas);
    return {
      toggleEnabled: () => toggleEnabled(deployment),
      nextAuthMode: () => nextAuthMode(deployment),
      copy: () => copy(deployment),
      ...(shows('keys') && { issueKey: askLabel }),
      ...(shows('sample') && {
        copySample: () => context.copy(quickStart(language, deployment), 'the sample'),
        previousLanguage: () => store.dispatch({ type: 'language', distance: -1 }),
        nextLanguage: () => store.dispatch({ type: 'language', distance: 1 }),
      }),
      ...(!isWideEndpoint(context.canvas) && {
        nextPage: () => store.dispatch({ type: 'page', page: (page + 1) % PAGES }),
      }),
    };
  }

  function commands(): Commands {
    const deployment = store.state.endpoint.value;
    const key = chosenKey(store.state);
    const shows = (part: Part) => isShown(part, store.state, context.canvas);
    return {
      refresh: () => void refresh(),
      ...(deployment && settingCommands(deployment)),
      ...(key &&
        shows('keys') && {
          previous: () => store.dispatch({ type: 'move', distance: -1 }),
          next: () => store.dispatch({ type: 'move', distance: 1 }),
        }),
      ...(key?.enabled && shows('keys') && { revokeKey: () => askRevoke(key) }),
      ...(store.state.issued && { back: () => store.dispatch({ type: 'forget' }) }),
    };
  }

  return {
    scopes: ['endpoint', 'anywhere'],
    get commands() {
      return commands();
    },
    enter(id) {
      store.dispatch({ type: 'opened', id: id ?? '' });
      void refresh();
    },
    leave: () => store.dispatch({ type: 'opened', id: '' }),
    draw: canvas => drawEndpoint(store.state, canvas),
    foot: (_canvas, isPrompting) => endpointStatus(store.state, isPrompting),
  };
}
