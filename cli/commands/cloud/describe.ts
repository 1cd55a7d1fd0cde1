// A running cloud as `--json` shows it, without its secret.
import type { LocalCloud } from '../../../lib/sdk/local-cloud/index.js';

export type About = Omit<LocalCloud, 'secret'>;

export function describeCloud(cloud: About, folder: string) {
  const { url, port, pid, version, baseModel, deploymentDomain } = cloud;
  return { url, port, pid, version, baseModel, deploymentDomain, folder };
}
