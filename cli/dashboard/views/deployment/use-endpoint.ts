// An endpoint and its keys, and the commands for them. Asks before making it public or breaking callers.
import { useEffect, useRef, useState } from 'react';
import {
  curlCall,
  disableQuestion,
  errorText,
  keyLabelProblem,
  operationUrl,
  promoteQuestion,
  publicQuestion,
  type Question,
  questionText,
  revokeQuestion,
} from '../../../../lib/console/index.js';
import type { Deployment, DeploymentPatch, IssuedKey, Key, Target } from '../../../../lib/contract/index.js';
import { useDashboard } from '../../dashboard-context.js';
import { useFetched } from '../../hooks/fetched.js';
import { BUSY } from '../../hooks/prompts.js';
import { useSelect } from '../../hooks/use-list.js';
import type { Commands } from '../../keys/bindings.js';

interface PageState {
  /** The only place that holds the plaintext, until the user leaves the page or revokes the key. */
  readonly issued: Pick<IssuedKey, 'id' | 'label' | 'plaintext'> | null;
  readonly problem: string | null;
  /** A request is pending. */
  readonly isBusy: boolean;
}

export type Endpoint = ReturnType<typeof useEndpoint>;

export function useEndpoint(id: string) {
  const { client, reach, signal, go, ask, prompt, notify, copy } = useDashboard();
  const [page, setPage] = useState<PageState>({ issued: null, problem: null, isBusy: false });
  const deployment = useFetched<Deployment>(
    `endpoint ${id}`,
    async () => (await client.getDeployment(id, { signal })).deployment,
  );
  const keyList = `keys of ${id}`;
  const keys = useFetched<readonly Key[]>(
    keyList,
    async () => (await client.listDeploymentKeys(id, { signal })).keys,
  );
  const select = useSelect(keyList);
  const { issued } = page;
  // A question or a field that is open keeps the page of its time.
  const isBusy = useRef(false);
  const left = useRef(new AbortController());
  useEffect(() => {
    left.current = new AbortController();
    return () => left.current.abort();
  }, []);
  const change = (part: Partial<PageState>) => setPage(now => ({ ...now, ...part }));

  /** Not while another request is pending. Returns whether it was done. */
  async function send(request: () => Promise<void>): Promise<boolean> {
    if (isBusy.current) {
      notify(BUSY, 'warning');
      return false;
    }
    isBusy.current = true;
    change({ isBusy: true, problem: null });
    const isDone = await request().then(
      () => true,
      error => {
        if (!signal.aborted) change({ problem: errorText(error) });
        return false;
      },
    );
    isBusy.current = false;
    change({ isBusy: false });
    return isDone;
  }

  const take = (changed: Deployment) => deployment.update(() => changed);
  const update = (patch: DeploymentPatch) => () =>
    void send(async () => take((await reach(client.updateDeployment(id, patch, { signal }))).deployment));
  const issueKey = (label: string) =>
    send(async () => {
      // Studio revokes the key of who leaves before it can be shown.
      const shown = AbortSignal.any([signal, left.current.signal]);
      const { plaintext, ...key } = (await reach(client.issueDeploymentKey(id, label, { signal: shown })))
        .key;
      keys.update(known => known && [...known.filter(({ id }) => id !== key.id), key]);
      select(key.id);
      change({ issued: { id: key.id, label: key.label, plaintext } });
    });
  const revokeKey = (keyId: string) => () =>
    void send(async () => {
      const { key } = await reach(client.revokeDeploymentKey(id, keyId, { signal }));
      keys.update(known => known?.map(old => (old.id === key.id ? key : old)) ?? null);
      if (keyId === issued?.id) change({ issued: null });
    });
  const asking = (question: Question, yes: () => void) => () => ask({ text: questionText(question), yes });

  const commandsOf = (now: Deployment): Commands => ({
    toggleEnabled: now.enabled
      ? asking(disableQuestion(now), update({ enabled: false }))
      : update({ enabled: true }),
    nextAuthMode:
      now.authMode === 'none'
        ? update({ authMode: 'fixed_api_key' })
        : asking(publicQuestion(now), update({ authMode: 'none' })),
    toggleGate: now.requireGate === undefined ? undefined : update({ requireGate: !now.requireGate }),
    promote: now.canary
      ? asking(promoteQuestion(now), update({ promote: now.canary.target as Target }))
      : undefined,
    endCanary: now.canary ? update({ canary: null }) : undefined,
    showRequests: now.keepRequests ? () => go({ tab: 'endpoints', id, requests: true }) : undefined,
    showEvaluations: () => go({ tab: 'endpoints', id, evaluations: true }),
    copy: () => (issued ? copy(issued.plaintext, 'the key') : copy(operationUrl(now), 'the URL')),
    copyCall: issued ? () => copy(curlCall(now, issued.plaintext), 'the cURL call') : undefined,
  });
  const askLabel = () =>
    prompt({
      scope: 'label',
      label: 'Key label: ',
      value: '',
      async submit(text) {
        const problem = keyLabelProblem(text);
        if (problem) notify(problem, 'warning');
        return problem === null && (await issueKey(text.trim())) ? null : text;
      },
    });

  return {
    ...page,
    deployment,
    keys,
    keyList,
    commands: {
      refresh: () => void Promise.all([deployment.refresh(), keys.refresh()]),
      back: issued ? () => change({ issued: null }) : undefined,
      ...(deployment.value && commandsOf(deployment.value)),
    },
    keyCommands: (key: Key | undefined): Commands => ({
      issueKey: deployment.value ? askLabel : undefined,
      revokeKey: key?.enabled ? asking(revokeQuestion(key), revokeKey(key.id)) : undefined,
    }),
  };
}
