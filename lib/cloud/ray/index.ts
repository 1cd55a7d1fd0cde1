// The public entry for training on a Ray cluster.

export type { Replicas } from './application.js';
export { createRayBackend } from './backend.js';
export type { Finding } from './check/check-cluster.js';
export { type ClusterFindings, checkCluster } from './check/check-cluster.js';
export { checkWorkers } from './check/check-workers.js';
export { createRayClient } from './client.js';
export { createClusterReader } from './cluster.js';
export { buildPackage } from './package/build-package.js';
export { createRayRunner } from './runner.js';
