// The cloud client for this folder's project, for commands that only read: they create no identity and no project.
import type { CloudClient } from '../../../lib/client/index.js';
import { isSetAside, type Session } from '../../../lib/sdk/index.js';
import { CommandError } from '../../command-error.js';
import { exitCode } from '../../exit-code.js';
import { mayHaveProvider } from './not-signed-in.js';

/** Null when this folder has no project yet; no request is sent then. */
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

/** `nothing` names what a folder without a project cannot have. */
export async function requireProjectClient(session: Session, nothing: string): Promise<CloudClient> {
  const cloud = await openProjectClient(session);
  if (cloud) return cloud;
  throw new CommandError(
    `This folder has no project yet, so it has no ${nothing}.\nRun "svc start" here to train, or go to your project's folder.`,
  );
}
