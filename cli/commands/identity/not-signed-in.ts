// What commands say that need somebody, when there is nobody.
import type { Session } from '../../../lib/sdk/index.js';
import { cloudFolder } from '../../../lib/sdk/local-cloud/index.js';
import { CommandError } from '../../command-error.js';
import { exitCode } from '../../exit-code.js';
import { hostOf } from './describe-identity.js';

export async function notSignedIn(session: Session): Promise<CommandError> {
  const signIn = (await mayHaveProvider(session)) ? '; "svc login" signs in' : '';
  return new CommandError(
    `Not signed in on ${hostOf(await session.choose())}.\nThe first "svc start" or "svc dev" makes an anonymous identity there${signIn}.`,
    exitCode.notSignedIn,
  );
}

/** Of the local cloud its options say it; any other may have one, as far as we know without asking it. */
export async function mayHaveProvider(session: Session): Promise<boolean> {
  if ((await session.choose()).url !== null) return true;
  // Not before: it brings the engine with it.
  const { readOptions } = await import('../cloud/options-file.js');
  // What is wrong with options that cannot be read is said to those who start it.
  const options = await readOptions(cloudFolder(session.home)).catch(() => ({}));
  return 'oauth-issuer' in options;
}
