// Brings up to date what the credentials file says of the local cloud itself, which may have been given another base
// model since somebody signed in.
import type { CloudCredentials } from '../../contract/index.js';
import { changeCredentials, readCredentials, withCredentialsLock } from './credentials.js';
import { withEntry } from './credentials-changes.js';

type Facts = Pick<CloudCredentials, 'baseModel' | 'deploymentDomain'>;

export async function noteLocalCloud(home: string, { baseModel, deploymentDomain }: Facts): Promise<void> {
  if (!(await findOutdated(home, baseModel, deploymentDomain))) return;
  await withCredentialsLock(home, async () => {
    const entry = await findOutdated(home, baseModel, deploymentDomain);
    if (entry)
      await changeCredentials(home, file =>
        withEntry(file, 'local', { ...entry, baseModel, deploymentDomain }),
      );
  });
}

/** What is wrong with a file that cannot be read is said to those who need what is in it. */
async function findOutdated(home: string, baseModel: string, deploymentDomain: string) {
  const entry = await readCredentials(home, 'local').catch(() => null);
  const isCurrent = entry?.baseModel === baseModel && entry.deploymentDomain === deploymentDomain;
  return isCurrent ? null : entry;
}
