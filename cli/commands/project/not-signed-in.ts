// The error of a command that needs an identity when there is none.
import { hostOf, isSetAside, type Session } from '../../../lib/sdk/index.js';
import { cloudFolder } from '../../../lib/sdk/local-cloud/index.js';
import { CommandError } from '../../command-error.js';
import { exitCode } from '../../exit-code.js';
import type { LastingOptions } from '../cloud/lasting-options.js';

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

export async function mayHaveProvider(session: Session): Promise<boolean> {
  return mayProvide(await readOwnOptions(session));
}

const mayProvide = (options: LastingOptions | null) => options === null || 'oauth-issuer' in options;
const mayBeAnonymous = (options: LastingOptions | null) => options === null || !('no-anonymous' in options);

/** The local cloud's options; null for any other cloud, whose options are unknown without asking it. */
async function readOwnOptions(session: Session): Promise<LastingOptions | null> {
  if ((await session.choose()).url !== null) return null;
  // Imported here because it loads the engine.
  const { readOptions } = await import('../cloud/options-file.js');
  // Unreadable options are reported when the cloud is started.
  return readOptions(cloudFolder(session.home)).catch(() => ({}));
}
