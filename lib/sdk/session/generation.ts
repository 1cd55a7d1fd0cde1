// Tells from the times of files whether what a session found is still true: which cloud, which identity, which project.
import { stat } from 'node:fs/promises';
import { cloudFileIn } from '../../system/index.js';
import { credentialsPathIn } from '../credentials/credentials.js';
import { isAlive } from '../is-alive.js';
import { cloudFolder, readCloudFile } from '../local-cloud/index.js';
import { statePath } from './project-state.js';

/**
 * The same string until one of the files is written, or the local cloud's process ends: then its port may belong to
 * somebody else, who must not be sent our token.
 */
export function createGenerations(folder: string, home: string): () => Promise<string> {
  const place = cloudFolder(home);
  const paths = [cloudFileIn(place), credentialsPathIn(home), statePath(folder)];
  let cloud = { stamp: '', pid: 0 };
  return async () => {
    const [stamp, ...others] = await Promise.all(paths.map(stampOf));
    if (stamp !== cloud.stamp) cloud = { stamp: stamp!, pid: (await readCloudFile(place))?.pid ?? 0 };
    return [stamp, ...others, cloud.pid > 0 && isAlive(cloud.pid)].join(' ');
  };
}

async function stampOf(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found ? `${found.ino}:${found.mtimeNs}:${found.size}` : '-';
}
