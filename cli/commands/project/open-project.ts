// The cloud in this folder's project, for commands that read: they create no identity and no project.
import type { CloudClient } from '../../../lib/client/index.js';
import { isSetAside, type Session } from '../../../lib/sdk/index.js';
import { CommandError } from '../../command-error.js';
import { exitCode } from '../../exit-code.js';
import { mayHaveProvider } from '../identity/not-signed-in.js';

/** Null when this folder has no project yet; then nobody is called. */
export async function openProject(session: Session): Promise<CloudClient | null> {
  if (!(await session.state())) return null;
  const { key } = await session.choose();
  if ((await session.credentials()) || (await isSetAside(session.home, key))) return session.project();
  const signIn = (await mayHaveProvider(session)) ? 'Run "svc login", or choose' : 'Choose';
  throw new CommandError(
    `This folder has a project, but you are nobody on the ${key === 'local' ? 'local cloud' : `cloud ${key}`}.\n${signIn} the cloud that it belongs to with SVC_CLOUD_URL.`,
    exitCode.notSignedIn,
  );
}

/** `nothing` says what such a folder cannot have. */
export async function requireProject(session: Session, nothing: string): Promise<CloudClient> {
  const cloud = await openProject(session);
  if (cloud) return cloud;
  throw new CommandError(
    `This folder has no project yet, and so no ${nothing}.\nRun "svc start" here to train, or go to the folder of your project.`,
  );
}
