// The commands that change an endpoint: `update`, `retarget`, `rollback`, `enable`, `disable`, `auth` and `delete`.
import type { DeploymentChange } from '../../../lib/client/index.js';
import { plural } from '../../../lib/console/index.js';
import {
  type AdapterNotation,
  type AuthMode,
  readAdapterNotation,
  toAdapterRef,
} from '../../../lib/contract/index.js';
import type { Session } from '../../../lib/sdk/index.js';
import { CommandError, type RunCommand, UsageError } from '../../command.js';
import { toSafeLine } from '../../style.js';
import { findDeployment, findJob } from '../project/find.js';
import { type SessionContext, sessionCommand } from '../project/session-command.js';
import { agree } from '../terminal/ask.js';
import { renderDeployment, renderOffline } from './list.js';
import { noteKeepsNothing, readGate, readKeeping, readOffer, readServed } from './options.js';

type ReadChange = (context: SessionContext) => DeploymentChange | Promise<DeploymentChange>;

function updateCommand(readChange: ReadChange): RunCommand {
  return sessionCommand(async context => {
    const { positionals, session, screen, svc, answer } = context;
    const change = await readChange(context);
    const { cloud, deployment: found } = await findDeployment(session, positionals[0]!);
    const { deployment } = await cloud.updateDeployment(found.id, change);
    noteKeepsNothing(context, deployment);
    answer({ deployment }, () => renderDeployment(deployment, screen) + renderOffline(deployment, svc));
  });
}

/** New operations and origins replace the current ones. */
export const update = updateCommand(async input => {
  const change = { ...readOffer(input), ...readKeeping(input), ...readGate(input) };
  if (Object.keys(change).length === 0)
    throw new UsageError(
      'specify what to change: "--operations LIST", "--cors ORIGINS", "--keep-requests", "--no-keep-requests", "--keep-for DAYS", "--require-gate" or "--no-require-gate".',
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

/** Ends the canary; without one, restores the previous target and stops following. */
export const rollback = sessionCommand(async ({ positionals, session, screen, answer, note }) => {
  const { cloud, deployment: found } = await findDeployment(session, positionals[0]!);
  const [before] = found.earlierTargets ?? [];
  const slug = toSafeLine(found.slug);
  if (!before && !found.canary && !found.follows)
    throw new CommandError(`${slug} has served nothing else before.`);
  const change = found.canary ? { canary: null } : { target: (before ?? found).target };
  const { deployment } = await cloud.updateDeployment(found.id, change);
  if (!before && !found.canary)
    note(`${slug} has served nothing else before: it keeps its target, and follows nothing now.`);
  answer({ deployment }, () => renderDeployment(deployment, screen));
});

/** Brings the endpoint back at the same URL. */
export const enable = updateCommand(() => ({ enabled: true }));

/** Calls get 404 until the endpoint is enabled again; its slug stays reserved. */
export const disable = updateCommand(() => ({ enabled: false }));

/** Sets whether calls need a key. Existing keys are kept either way. */
export const setAuthMode = updateCommand(({ positionals }) => ({ authMode: positionals[1] as AuthMode }));

/** Keeps the URL but serves another adapter, or follows one that changes automatically. */
export const retarget = updateCommand(async input => ({
  target: await readServed(input, input.positionals[1], {
    read: typed => readTarget(typed, input.session),
    ways: 'specify what to serve: TARGET, "--job ID" or "--follow WHAT".',
  }),
}));

/**
 * Passes notation without a job ID through: the update resolves it against the job that the endpoint serves.
 */
export async function readTarget(typed: string, session: Session): Promise<DeploymentChange['target']> {
  const read = readAdapterNotation(typed);
  if (!read)
    throw new UsageError(
      `TARGET must be final, checkpoint:N, JOB_ID:final or JOB_ID:checkpoint:N, not "${typed}".`,
    );
  if (read.jobId === null) return typed as AdapterNotation;
  return { kind: 'adapter', adapter: toAdapterRef((await findJob(session, read.jobId)).id, read.step) };
}

/** Its slug stays reserved for the organization. */
export const deleteEndpoint = sessionCommand(async ({ session, answer, io, ...input }) => {
  const { cloud, deployment: found } = await findDeployment(session, input.positionals[0]!);
  await agree(`Delete ${found.slug}? Its URL stops working, and its keys are gone.`, input, io);
  const { deployment } = await cloud.deleteDeployment(found.id);
  answer(
    { deployment },
    () =>
      `Deleted ${toSafeLine(deployment.slug)}. Its slug stays yours: you can create another endpoint with it.\n`,
  );
});
