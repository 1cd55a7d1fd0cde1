// svc whoami: who we are, where, and in which project. Calls nobody.
import { identityLine } from '../../lib/console/index.js';
import type { CloudCredentials, Identity } from '../../lib/contract/index.js';
import type { ChosenCloud } from '../../lib/sdk/index.js';
import { CommandError } from '../command-error.js';
import { exitCode } from '../exit-code.js';
import { toSafeLine } from '../style.js';
import { projectCommand } from './project/project-command.js';

export const run = projectCommand(async ({ session, answer }) => {
  const cloud = await session.choose();
  const who = await session.credentials();
  if (!who) throw notSignedIn(cloud);
  const state = await session.state();
  const identity: Identity = {
    mode: who.mode,
    orgSlug: state?.orgSlug ?? orgOf(who),
    projectSlug: state?.projectSlug ?? null,
    cloudHost: hostOf(cloud),
    deploymentDomain: who.deploymentDomain,
    baseModel: who.baseModel,
  };
  answer(identity, () => `${toSafeLine(identityLine(identity))}\n`);
  return exitCode.ok;
});

function orgOf(who: CloudCredentials): string | null {
  return who.mode === 'anonymous' ? who.orgSlug : null;
}

function hostOf({ key, url }: ChosenCloud): string {
  return url === null ? key : new URL(url).host;
}

function notSignedIn(cloud: ChosenCloud): CommandError {
  return new CommandError(
    `Not signed in on ${hostOf(cloud)}.\nThe first "svc start" or "svc dev" makes an anonymous identity there; "svc login" signs in.`,
    exitCode.notSignedIn,
  );
}
