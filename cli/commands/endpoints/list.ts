// svc endpoints list: the endpoints of this folder's project.
import {
  deploymentHost,
  enabledLabel,
  servedLabel,
  shortId,
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
      : renderTable(columnsFor(screen), deployments, screen),
  );
});

function columnsFor({ style: { green, red, dim } }: Screen): Column<Deployment>[] {
  return [
    { title: 'Endpoint', text: deploymentHost, short: ({ slug }) => slug, least: 12 },
    {
      title: 'State',
      text: deployment => [enabledLabel(deployment), troubleLabel(deployment)].filter(Boolean).join(', '),
      paint: (text, { enabled, problem }) => (problem ? red : enabled ? green : dim)(text),
    },
    { title: 'Auth', text: ({ authMode }) => authMode },
    { title: 'Target', text: servedLabel, least: 16, spare: true },
    { title: 'ID', text: ({ id }) => id, short: ({ id }) => shortId(id), paint: dim, spare: true },
  ];
}
