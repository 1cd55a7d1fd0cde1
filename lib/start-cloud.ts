// Starts a cloud inside a program, with parts of its own. The cloud itself is loaded only when one is started.

import packageJson from '../package.json' with { type: 'json' };
import { BASE_MODEL_NAME, baseModelFolder } from './base-model/index.js';
import type { Backend, JobRunner, RunningCloud } from './cloud/index.js';

export interface CloudOptions {
  /** The data folder. No other cloud may use it. */
  folder: string;
  /** Runs the jobs. Default: a process on this machine for each. */
  runner?: JobRunner;
  /** Answers chats, completions and embeddings. Default: a process on this machine. */
  backend?: Backend;
  /** A folder with the base model, in Hugging Face layout. Default: the model that ships with svc. */
  baseModel?: string;
  /** How many jobs run at once. Default: 1. */
  concurrency?: number;
  /** How many hours responses are stored for their callers; 0 stores none. Default: 24. */
  storeHours?: number;
  /** Listens on exactly this port. Default: the last one used, or the first free one from 4100 on. */
  port?: number;
  /** Where workers on other machines reach it, if not at its own URL. */
  advertiseUrl?: string;
}

export interface StartedCloud {
  /** How programs on this machine reach it. */
  url: string;
  /** Pauses running jobs and ends the cloud. They resume at the next start on the same folder. */
  stop(): Promise<void>;
}

/**
 * Runs a cloud in this process, on loopback. Jobs, events, keys and endpoints are as in the local cloud; what trains and what
 * answers can be yours.
 */
export async function startCloud(options: CloudOptions): Promise<StartedCloud> {
  const { openBaseModel, runCloud } = await import('./cloud/index.js');
  const { folder, runner, backend, baseModel, concurrency, storeHours, port, advertiseUrl } = options;
  const served: RunningCloud = await runCloud({
    folder,
    concurrency,
    storeHours,
    port,
    version: packageJson.version,
    baseModel:
      baseModel === undefined ? openBaseModel(baseModelFolder(), BASE_MODEL_NAME) : openBaseModel(baseModel),
    parts: {
      ...(runner && { runner }),
      ...(backend && { backend }),
      ...(advertiseUrl && { workerUrl: advertiseUrl }),
    },
  });
  return {
    url: served.url,
    async stop() {
      served.stop();
      await served.ended;
    },
  };
}
