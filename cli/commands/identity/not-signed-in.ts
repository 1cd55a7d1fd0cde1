// What commands say that need somebody, when there is nobody.
import type { ChosenCloud } from '../../../lib/sdk/index.js';
import { CommandError } from '../../command-error.js';
import { exitCode } from '../../exit-code.js';
import { hostOf } from './describe-identity.js';

export function notSignedIn(cloud: ChosenCloud): CommandError {
  return new CommandError(
    `Not signed in on ${hostOf(cloud)}.\nThe first "svc start" or "svc dev" makes an anonymous identity there; "svc login" signs in.`,
    exitCode.notSignedIn,
  );
}
