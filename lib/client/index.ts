// The typed clients. Browser-safe; what needs Node is in `node.ts`.
export {
  type CloudClient,
  type CloudClientOptions,
  createCloudClient,
  type DeploymentChange,
} from './cloud-client.js';
export type { Chat } from './completion.js';
export { type FollowOptions, isReplayed, readFrames } from './event-stream.js';
export type { CallOptions } from './methods.js';
export { createBackoff, isFinalError } from './retry.js';
export { createStudioClient, type StudioClient, type StudioClientOptions } from './studio-client.js';
export { assertSecureUrl, type CallInput, isUntrusted, reasonOf } from './transport.js';
export { browserEventSource, type JobHandlers, type OpenEventSource, watchJob } from './watch-job.js';
export { type JobsWatch, watchJobs } from './watch-jobs.js';
