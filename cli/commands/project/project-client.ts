// The cloud client for this folder's project, for commands that only read: they create no identity and no project.
import type { CloudClient } from '../../../lib/client/index.js';
import { hostOf, isSetAside, type Session } from '../../../lib/sdk/index.js';
import { cloudFolder } from '../../../lib/sdk/local-cloud/index.js';
import { CommandError, exitCode } from '../../command.js';
import type { LastingOptions } from '../cloud/lasting-options.js';

/** Null if this folder has no project yet; sends no request then. */
export async function openProjectClient(session: Session): Promise<CloudClient | null> {
  if (!(await session.state())) return null;
  const { key } = await session.choose();
  if ((await session.credentials()) || (await isSetAside(session.home, key))) return session.projectClient();
  const signIn = (await mayHaveProvider(session)) ? 'Run "svc login", or set' : 'Set';
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
  const [cloud, options] = [await session.choose(), await readOwnOptions(session)];
  const ways = [
    mayBeAnonymous(options) && (await sayAnonymous(session, cloud.key)),
    mayProvide(options) && 'Run "svc login" to sign in',
  ].filter(way => way !== false);
  const hint = ways.length > 0 ? `\n${ways.join('. ')}.` : '';
  return new CommandError(`Not signed in to ${hostOf(cloud)}.${hint}`, exitCode.notSignedIn);
}

async function sayAnonymous({ home }: Session, key: string): Promise<string> {
  return (await isSetAside(home, key))
    ? 'The next command that needs an identity uses your anonymous one again'
    : 'Run "svc start" or "svc dev" to create an anonymous identity';
}

async function mayHaveProvider(session: Session): Promise<boolean> {
  return mayProvide(await readOwnOptions(session));
}

const mayProvide = (options: LastingOptions | null) => options === null || 'oauth-issuer' in options;
const mayBeAnonymous = (options: LastingOptions | null) => options === null || !('no-anonymous' in options);

/** The local cloud's options; null for any other cloud, whose options are not known here. */
async function readOwnOptions(session: Session): Promise<LastingOptions | null> {
  if ((await session.choose()).url !== null) return null;
  // Imported lazily because it loads the engine.
  const { readOptions } = await import('../cloud/lasting-options.js');
  // Unreadable options are reported when the cloud is started.
  return readOptions(cloudFolder(session.home)).catch(() => ({}));
}
