// The cloud client for this folder's project, for commands that only read: they create no identity and no project.
import type { CloudClient } from '../../../lib/client/index.js';
import { hostOf, isSetAside, type Session } from '../../../lib/sdk/index.js';
import { CommandError, exitCode } from '../../command.js';

/** Null if this folder has no project yet; sends no request then. */
export async function openProjectClient(session: Session): Promise<CloudClient | null> {
  if (!(await session.state())) return null;
  const { key } = await session.choose();
  if ((await session.credentials()) || (await isSetAside(session.home, key))) return session.projectClient();
  const signIn = (await findWays(session)).provider ? 'Run "svc login", or set' : 'Set';
  throw new CommandError(
    `This folder has a project, but you have no identity on the ${key === 'local' ? 'local cloud' : `cloud ${key}`}.\n${signIn} SVC_CLOUD_URL to the cloud that the project belongs to.`,
    exitCode.notSignedIn,
  );
}

/** `nothing` completes the error for a folder without a project. */
export async function requireProjectClient(session: Session, nothing: string): Promise<CloudClient> {
  const cloud = await openProjectClient(session);
  if (cloud) return cloud;
  throw new CommandError(
    `This folder has no project yet, so it has no ${nothing}.\nRun "svc start" here to train, or go to your project's folder.`,
  );
}

/** The error for a command that needs an identity when there is none. */
export async function notSignedIn(session: Session): Promise<CommandError> {
  const [cloud, { anonymous, provider }] = [await session.choose(), await findWays(session)];
  const ways = [
    anonymous && (await sayAnonymous(session, cloud.key)),
    provider && 'Run "svc login" to sign in',
  ].filter(way => way !== false);
  const hint = ways.length > 0 ? `\n${ways.join('. ')}.` : '';
  return new CommandError(`Not signed in to ${hostOf(cloud)}.${hint}`, exitCode.notSignedIn);
}

async function sayAnonymous({ home }: Session, key: string): Promise<string> {
  return (await isSetAside(home, key))
    ? 'The next command that needs an identity uses your anonymous one again'
    : 'Run "svc start" or "svc dev" to create an anonymous identity';
}

async function findWays(session: Session) {
  // Imported lazily because it loads the engine.
  const { findSignInWays } = await import('../cloud/sign-in-ways.js');
  return findSignInWays(session.home, await session.choose());
}
