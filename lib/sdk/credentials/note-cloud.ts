// Updates what the credentials file says about the local cloud, whose base model may have changed since the identity
// was created.
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

/** An unreadable file is ignored here and reported to whoever needs its content. */
async function findOutdated(home: string, baseModel: string, deploymentDomain: string) {
  const entry = await readCredentials(home, 'local').catch(() => null);
  const isCurrent = entry?.baseModel === baseModel && entry.deploymentDomain === deploymentDomain;
  return isCurrent ? null : entry;
}
