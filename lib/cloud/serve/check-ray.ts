// Checks a Ray cluster before jobs run on it: cheaply, and by a program on each of its machines.
import { findPackage } from '../../system/index.js';
import { proveSecret } from '../auth/secret.js';
import {
  buildPackage,
  type ClusterFindings,
  checkCluster,
  checkWorkers,
  createRayClient,
  type Finding,
} from '../ray/index.js';
import type { RayOptions } from './ray-parts.js';

type Address = Pick<RayOptions, 'url' | 'tokenFile'>;

/** Someone waits for the answer. */
const ANSWER_MS = 5000;

/** Whether it answers, accepts the token, is new enough, and has nodes. Starts nothing there. */
export function checkRay(address: Address): Promise<ClusterFindings> {
  return checkCluster(createRayClient({ ...address, answerMs: ANSWER_MS }));
}

/**
 * `cloud`: where the workers should reach it, and the secret by which it proves who it is, which stays here. With
 * `serve`, also whether the machines can answer chats.
 */
export async function checkRayWorkers(
  { serve, ...address }: Address & Pick<RayOptions, 'serve'>,
  cloud: { url: string; secret: string } | null,
): Promise<Finding[]> {
  return checkWorkers({
    client: createRayClient(address),
    content: await buildPackage(findPackage(), false),
    serves: serve !== undefined,
    cloud: cloud && { url: cloud.url, prove: nonce => proveSecret(cloud.secret, nonce) },
  });
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i;

/** A cluster elsewhere that would look for this cloud on its own machines; null if that is not so. */
export function findUnreachable(ray: Pick<RayOptions, 'url'>, workerUrl: string): Finding | null {
  if (LOOPBACK.test(new URL(ray.url).hostname) || !LOOPBACK.test(new URL(workerUrl).hostname)) return null;
  return {
    name: 'ray-cloud',
    status: 'warning',
    message: `The machines of the cluster look for this cloud at ${workerUrl}, which is themselves.`,
    hint: 'Start the cloud with --advertise-url and a URL that they reach, unless each of them has a tunnel to this machine.',
  };
}
