// The parts of a cloud whose jobs run on a Ray cluster.
import { findPackage } from '../../system/index.js';
import type { CloudDeps } from '../deps.js';
import { buildPackage, createClusterReader, createRayClient, createRayRunner } from '../ray/index.js';

export interface RayOptions {
  /** The dashboard's URL, such as `http://head:8265`. */
  url: string;
  /** The file with its token. */
  tokenFile?: string | undefined;
  /** Where the cluster's machines reach this cloud. Default: its own address. */
  advertiseUrl?: string | undefined;
  /** The cluster adds nodes for what waits. */
  autoscaling?: boolean | undefined;
}

export function createRayParts(
  { advertiseUrl, autoscaling, ...address }: RayOptions,
  log: CloudDeps['log'],
): Pick<CloudDeps, 'runner' | 'readCluster' | 'workerUrl'> {
  const client = createRayClient(address);
  const cluster = createClusterReader(client);
  return {
    runner: createRayRunner({
      client,
      cluster,
      buildPackage: hasEngine => buildPackage(findPackage(), hasEngine),
      autoscaling,
      log,
    }),
    readCluster: cluster.read,
    workerUrl: advertiseUrl,
  };
}
