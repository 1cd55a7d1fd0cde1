// How people get an identity on a cloud. The local cloud's options say it; those of any other cloud are not known here.
import { chooseAnonymous } from '../../../lib/cloud/host/address.js';
import type { ChosenCloud } from '../../../lib/sdk/index.js';
import { cloudFolder } from '../../../lib/sdk/local-cloud/index.js';
import { type LastingOptions, readOptions } from './lasting-options.js';
import { readExposure } from './settings.js';

export interface SignInWays {
  /** It may create an anonymous identity. */
  anonymous: boolean;
  /** It may know an identity provider, for "svc login". */
  provider: boolean;
}

/** `chosen`: null if the setting that names the cloud is wrong. */
export async function findSignInWays(
  home: string,
  chosen: Pick<ChosenCloud, 'url'> | null,
): Promise<SignInWays> {
  if (chosen?.url !== null) return { anonymous: true, provider: true };
  // Unreadable options are reported when the cloud is started.
  const options: LastingOptions = await readOptions(cloudFolder(home)).catch(() => ({}));
  return {
    anonymous: chooseAnonymous(readExposure(options)) !== 'off',
    provider: 'oauth-issuer' in options,
  };
}
