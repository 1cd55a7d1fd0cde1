// svc endpoints list and show.
import {
  canaryLabel,
  canaryRows,
  canaryView,
  deploymentHost,
  enabledLabel,
  gateSetting,
  keepingText,
  libraryBaseUrl,
  offerRows,
  operationUrl,
  quickStart,
  shortId,
  targetLabel,
  troubleLabel,
} from '../../../lib/console/index.js';
import { adapterNotation, type Deployment } from '../../../lib/contract/index.js';
import type { Screen } from '../../screen.js';
import { toSafeLine, toSafeText } from '../../style.js';
import { findDeployment } from '../project/find.js';
import { openProjectClient } from '../project/project-client.js';
import { sessionCommand } from '../project/session-command.js';
import { type Column, type Fact, renderFacts, renderTable, timeText } from '../terminal/table.js';

export const list = sessionCommand(async ({ session, screen, svc, json, note, answer }) => {
  const cloud = await openProjectClient(session);
  const { deployments } = cloud ? await cloud.listDeployments() : { deployments: [] };
  answer({ deployments }, () =>
    deployments.length === 0
      ? `No endpoints yet. To publish an adapter, run "${svc} endpoints create SLUG --job ID".\n`
      : renderTable(columnsFor(deployments, screen), deployments, screen),
  );
  if (!json && deployments.some(({ enabled }) => !enabled)) note(howToEnable('SLUG', svc));
});

function columnsFor(
  deployments: readonly Deployment[],
  { style: { green, red, dim } }: Screen,
): Column<Deployment>[] {
  const canary: Column<Deployment> = { title: 'Canary', text: one => canaryLabel(one) ?? '', least: 16 };
  return [
    { title: 'Endpoint', text: deploymentHost, short: ({ slug }) => slug, least: 12 },
    {
      title: 'State',
      text: deployment => [enabledLabel(deployment), troubleLabel(deployment)].filter(Boolean).join(', '),
      paint: (text, { enabled, problem }) => (problem ? red : enabled ? green : dim)(text),
    },
    { title: 'Auth', text: ({ authMode }) => authMode },
    { title: 'Target', text: ({ target }) => targetLabel(target), least: 16, spare: true },
    ...(deployments.some(one => one.canary) ? [canary] : []),
    { title: 'ID', text: ({ id }) => id, short: ({ id }) => shortId(id), paint: dim, spare: true },
  ];
}

export const show = sessionCommand(async ({ positionals, session, screen, svc, answer }) => {
  const { deployment } = await findDeployment(session, positionals[0]!);
  answer({ deployment }, () => {
    const call = deployment.enabled ? `\n${toSafeText(quickStart('curl', deployment))}\n` : '';
    return `${renderDeployment(deployment, screen)}${call}${renderOffline(deployment, svc)}`;
  });
});

/** What follows a disabled endpoint; nothing for others. */
export function renderOffline({ slug, enabled }: Deployment, svc: string): string {
  return enabled ? '' : `\n${howToEnable(toSafeLine(slug), svc)}\n`;
}

function howToEnable(slug: string, svc: string): string {
  return `A disabled endpoint answers 404. To bring it back, run: ${svc} endpoints enable ${slug}`;
}

function canaryFacts(deployment: Deployment, screen: Screen): Fact[] {
  const canary = deployment.canary?.target;
  return [
    ...canaryRows(deployment, iso => timeText(iso, screen)),
    ['Its adapter', canary?.kind === 'adapter' ? adapterNotation(canary.adapter) : null],
    ['Its problem', canaryView(deployment)?.problem ?? null],
  ];
}

export function renderDeployment(deployment: Deployment, screen: Screen): string {
  const { slug, id, target, authMode, createdAt, updatedAt } = deployment;
  const gate = gateSetting(deployment);
  const facts: Fact[] = [
    ['Slug', slug],
    ['URL', operationUrl(deployment)],
    ['Base URL', libraryBaseUrl(deployment)],
    ['State', enabledLabel(deployment)],
    ['Problem', deployment.problem ?? null],
    ['Auth', authMode],
    ...offerRows(deployment, iso => timeText(iso, screen)).map(
      ({ label, values }): Fact => [label, values.join(', ')],
    ),
    ['Gate', gate && `${gate.choice}. ${gate.text}`],
    ['Requests', keepingText(deployment)],
    ['Target', targetLabel(target)],
    ['Adapter', target.kind === 'adapter' ? adapterNotation(target.adapter) : null],
    ...canaryFacts(deployment, screen),
    ['Created', timeText(createdAt, screen)],
    ['Updated', timeText(updatedAt, screen)],
    ['ID', id],
  ];
  return renderFacts(facts, screen.style);
}
