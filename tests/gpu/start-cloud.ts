// A whole cloud in a home of the test's, which ends with the test or before.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createCloudClient } from '../../lib/client/index.js';
import { type RunCloudOptions, runCloud } from '../../lib/cloud/index.js';
import type { CloudFile } from '../../lib/contract/index.js';
import { openSession } from '../../lib/sdk/index.js';
import packageJson from '../../package.json' with { type: 'json' };
import { findFreePort } from '../support/free-port.js';

type Started = Pick<RunCloudOptions, 'baseModel' | 'baseWeights' | 'device'>;

export async function startCloud(home: string, options: Started) {
  const folder = join(home, 'cloud');
  const { version } = packageJson;
  const cloud = await runCloud({ folder, version, port: await findFreePort(), ...options });
  const stop = async () => {
    cloud.stop();
    await cloud.ended;
  };
  onTestFinished(stop);
  const session = openSession({ folder: home, env: { SVC_HOME: home }, isLocal: true });
  return {
    client: await session.projectClient(),
    async readHealth() {
      const { secret } = JSON.parse(await readFile(join(folder, 'cloud.json'), 'utf8')) as CloudFile;
      return createCloudClient({ baseUrl: cloud.url }).getHealth(secret);
    },
    stop,
  };
}
