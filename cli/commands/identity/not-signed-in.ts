// What commands say that need somebody, when there is nobody.
import { hostOf, isSetAside, type Session } from '../../../lib/sdk/index.js';
import { cloudFolder } from '../../../lib/sdk/local-cloud/index.js';
import { CommandError } from '../../command-error.js';
import { exitCode } from '../../exit-code.js';
import type { LastingOptions } from '../cloud/lasting-options.js';

export async function notSignedIn(session: Session): Promise<CommandError> {
  const [cloud, options] = [await session.choose(), await readOwnOptions(session)];
  const ways = [
    mayBeAnonymous(options) && (await sayAnonymous(session, cloud.key)),
    mayProvide(options) && '"svc login" signs in',
  ].filter(way => way !== false);
  const hint = ways.length > 0 ? `\n${ways.join('; ')}.` : '';
  return new CommandError(`Not signed in on ${hostOf(cloud)}.${hint}`, exitCode.notSignedIn);
}

async function sayAnonymous({ home }: Session, key: string): Promise<string> {
  return (await isSetAside(home, key))
    ? 'Your anonymous identity there is used again by the next command that needs one'
    : 'The first "svc start" or "svc dev" makes an anonymous identity there';
}

export async function mayHaveProvider(session: Session): Promise<boolean> {
  return mayProvide(await readOwnOptions(session));
}

const mayProvide = (options: LastingOptions | null) => options === null || 'oauth-issuer' in options;
const mayBeAnonymous = (options: LastingOptions | null) => options === null || !('no-anonymous' in options);

/** Those of the local cloud; null of any other, which may have whatever it likes, as far as we know without asking it. */
async function readOwnOptions(session: Session): Promise<LastingOptions | null> {
  if ((await session.choose()).url !== null) return null;
  // Not before: it brings the engine with it.
  const { readOptions } = await import('../cloud/options-file.js');
  // What is wrong with options that cannot be read is said to those who start it.
  return readOptions(cloudFolder(session.home)).catch(() => ({}));
}
