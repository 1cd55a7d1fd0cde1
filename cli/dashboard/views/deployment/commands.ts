// The commands of an endpoint's page. Asks first before making it public or breaking callers.
import {
  curlCall,
  disableQuestion,
  keyLabelProblem,
  operationUrl,
  publicQuestion,
  questionText,
  quickStart,
  revokeQuestion,
} from '../../../../lib/console/index.js';
import type { Deployment, Key } from '../../../../lib/contract/index.js';
import type { Commands } from '../../core/bindings.js';
import type { Context } from '../../core/context.js';
import { isShown, isWideDeployment, PAGES } from './draw.js';
import type { DeploymentRequests } from './requests.js';
import { chosenKey, type DeploymentStore } from './state.js';

interface DeploymentPage {
  readonly context: Context;
  readonly store: DeploymentStore;
  readonly requests: DeploymentRequests;
}

export function deploymentCommands(page: DeploymentPage): Commands {
  const { context, store, requests } = page;
  const { deployment, issued } = store.state;
  return {
    refresh: () => void requests.refresh(),
    ...(deployment.value && settingCommands(page, deployment.value)),
    ...(deployment.value &&
      isShown('sample', store.state, context.canvas) &&
      sampleCommands(page, deployment.value)),
    ...(isShown('keys', store.state, context.canvas) && keyCommands(page)),
    ...(issued && { back: () => store.dispatch({ type: 'forget' }) }),
  };
}

function settingCommands({ context, store, requests }: DeploymentPage, deployment: Deployment): Commands {
  const { issued, page } = store.state;
  return {
    ...(deployment.keepRequests && {
      showRequests: () => context.go({ tab: 'endpoints', id: deployment.id, requests: true }),
    }),
    toggleEnabled: () => toggleEnabled(context, requests, deployment),
    nextAuthMode: () => nextAuthMode(context, requests, deployment),
    copy: issued
      ? () => context.copy(issued.plaintext, 'the key')
      : () => context.copy(operationUrl(deployment), 'the URL'),
    ...(issued && { copyCall: () => context.copy(curlCall(deployment, issued.plaintext), 'the cURL call') }),
    ...(!isWideDeployment(context.canvas) && {
      nextPage: () => store.dispatch({ type: 'page', page: (page + 1) % PAGES }),
    }),
  };
}

function sampleCommands({ context, store }: DeploymentPage, deployment: Deployment): Commands {
  const { language } = store.state;
  return {
    copySample: () => context.copy(quickStart(language, deployment), 'the sample'),
    previousLanguage: () => store.dispatch({ type: 'language', distance: -1 }),
    nextLanguage: () => store.dispatch({ type: 'language', distance: 1 }),
  };
}

function keyCommands({ context, store, requests }: DeploymentPage): Commands {
  const key = chosenKey(store.state);
  return {
    ...(store.state.deployment.value && { issueKey: () => askLabel(context, requests) }),
    ...(key && {
      previous: () => store.dispatch({ type: 'move', distance: -1 }),
      next: () => store.dispatch({ type: 'move', distance: 1 }),
    }),
    ...(key?.enabled && { revokeKey: () => askRevoke(context, requests, key) }),
  };
}

function toggleEnabled(context: Context, { update }: DeploymentRequests, deployment: Deployment): void {
  const text = questionText(disableQuestion(deployment));
  if (deployment.enabled) context.ask({ text, yes: () => void update({ enabled: false }) });
  else void update({ enabled: true });
}

function nextAuthMode(context: Context, { update }: DeploymentRequests, deployment: Deployment): void {
  const text = questionText(publicQuestion(deployment));
  if (deployment.authMode === 'none') void update({ authMode: 'fixed_api_key' });
  else context.ask({ text, yes: () => void update({ authMode: 'none' }) });
}

function askLabel(context: Context, { issueKey }: DeploymentRequests): void {
  context.prompt({
    scope: 'label',
    label: 'Key label: ',
    value: '',
    submit(text) {
      const problem = keyLabelProblem(text);
      if (problem) context.notify(problem, 'warning');
      else void issueKey(text.trim());
      return problem ? text : null;
    },
  });
}

function askRevoke(context: Context, { revokeKey }: DeploymentRequests, key: Key): void {
  const text = questionText(revokeQuestion(key));
  context.ask({ text, yes: () => void revokeKey(key.id) });
}
