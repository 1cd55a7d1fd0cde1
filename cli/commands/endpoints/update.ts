// The commands that change an endpoint: `update`, `rollback`, `enable`, `disable` and `auth` here, and others through
// `updateCommand`.
import type { DeploymentChange } from '../../../lib/client/index.js';
import { plural } from '../../../lib/console/index.js';
import type { AuthMode } from '../../../lib/contract/index.js';
import type { CommandModule } from '../../command.js';
import { CommandError, createUsageError } from '../../command-error.js';
import { exitCode } from '../../exit-code.js';
import { toSafeLine } from '../../style.js';
import { findDeployment } from '../project/find-deployment.js';
import { type SessionContext, sessionCommand } from '../project/session-command.js';
import { agree } from '../terminal/agree.js';
import { renderDeployment } from './deployment-text.js';
import { readKeeping } from './keep-options.js';
import { readOffer } from './offer-options.js';

type ReadChange = (context: SessionContext) => DeploymentChange | Promise<DeploymentChange>;

export function updateCommand(readChange: ReadChange): CommandModule['run'] {
  return sessionCommand(async context => {
    const { positionals, session, screen, answer } = context;
    const change = await readChange(context);
    const { cloud, deployment: found } = await findDeployment(session, positionals[0]!);
    const { deployment } = await cloud.updateDeployment(found.id, change);
    answer({ deployment }, () => renderDeployment(deployment, screen));
    return exitCode.ok;
  });
}

const WHERE = 'endpoints update';

/** Operations and origins replace those that it has. */
export const update = updateCommand(async input => {
  const change = { ...readOffer(input, WHERE), ...readKeeping(input, WHERE) };
  if (Object.keys(change).length === 0)
    throw createUsageError(
      'specify what to change: "--operations LIST", "--cors ORIGINS", "--keep-requests" or "--keep-for DAYS".',
      WHERE,
    );
  if (change.keepRequests === false) await agreeToForget(input);
  return change;
});

async function agreeToForget({ session, positionals, io, ...input }: SessionContext): Promise<void> {
  const { cloud, deployment } = await findDeployment(session, positionals[0]!);
  const { counts } = await cloud.listKeptRequests(deployment.id, { limit: 1 });
  if (counts.all === 0) return;
  await agree(`Delete the ${plural(counts.all, 'request')} that ${deployment.slug} keeps?`, input, io);
}

/** It serves what it served before, and follows nothing anymore. */
export const rollback = sessionCommand(async ({ positionals, session, screen, answer }) => {
  const { cloud, deployment: found } = await findDeployment(session, positionals[0]!);
  const [before] = found.earlierTargets ?? [];
  if (!before) throw new CommandError(`${toSafeLine(found.slug)} has served nothing else before.`);
  const { deployment } = await cloud.updateDeployment(found.id, { target: before.target });
  answer({ deployment }, () => renderDeployment(deployment, screen));
  return exitCode.ok;
});

/** It serves again at the same URL. */
export const enable = updateCommand(() => ({ enabled: true }));

/** Calls get 404 until it is enabled again; its slug stays reserved. */
export const disable = updateCommand(() => ({ enabled: false }));

/** Whether calls need a key. Keys are kept either way. */
export const setAuthMode = updateCommand(({ positionals }) => ({ authMode: positionals[1] as AuthMode }));
