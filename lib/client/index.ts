// The typed clients. Browser-safe; what needs Node is in `node.ts`.
export { createBackoff, isFinalError } from './backoff.js';
export { browserEventSource } from './browser-event-source.js';
export {
  type CallOptions,
  type CloudClient,
  type CloudClientOptions,
  createCloudClient,
} from './cloud-client.js';
export type { Chat } from './completion.js';
export type { FollowOptions } from './follow-events.js';
export { type EventFrame, isReplayed, readFrames } from './frames.js';
export type { DeploymentChange } from './retarget.js';
export { assertSecureUrl, isLoopbackHost } from './secure-url.js';
export { createStudioClient, type StudioClient, type StudioClientOptions } from './studio-client.js';
export { isUntrusted } from './transport.js';
export { type JobHandlers, type OpenEventSource, watchJob } from './watch-job.js';
export { type JobsWatch, watchJobs } from './watch-jobs.js';
