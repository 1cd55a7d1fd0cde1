// svc endpoints list: the endpoints of this folder's project.
import {
  canaryLabel,
  deploymentHost,
  enabledLabel,
  shortId,
  targetLabel,
  troubleLabel,
} from '../../../lib/console/index.js';
import type { Deployment } from '../../../lib/contract/index.js';
import type { Screen } from '../../screen.js';
import { openProjectClient } from '../project/project-client.js';
import { sessionCommand } from '../project/session-command.js';
import { type Column, renderTable } from '../terminal/table.js';

export const run = sessionCommand(async ({ session, screen, svc, answer }) => {
  const cloud = await openProjectClient(session);
  const { deployments } = cloud ? await cloud.listDeployments() : { deployments: [] };
  answer({ deployments }, () =>
    deployments.length === 0
      ? `No endpoints yet. To publish an adapter, run "${svc} endpoints create SLUG --job ID".\n`
      : renderTable(columnsFor(deployments, screen), deployments, screen),
  );
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
