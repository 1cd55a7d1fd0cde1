// A cloud's jobs as their owner sees them, through svc's own client.
import { type CloudClient, createCloudClient } from '../../../lib/client/index.js';
import type { JobConfigInput, JobEvent } from '../../../lib/contract/index.js';
import type { Home } from '../../endurance/home.js';
import type { NumberedEvent } from '../../endurance/judge.js';

export interface Jobs {
  cloud: CloudClient;
  create(config: JobConfigInput): Promise<string>;
  /** What the job was made of: with it, others are made the same. */
  readConfig(id: string): Promise<JobConfigInput>;
  /** The whole log, once the job has ended. */
  readLog(id: string): Promise<NumberedEvent[]>;
  until(id: string, isIt: (event: JobEvent) => boolean): Promise<void>;
  download(id: string, adapter: string): Promise<Uint8Array>;
}

/** Of a home that has a project. */
export async function openJobs(home: Home): Promise<Jobs> {
  const { url } = await home.wake();
  const { token, scope } = await home.access();
  const cloud = createCloudClient({ baseUrl: url, token, scope });

  async function* follow(id: string): AsyncGenerator<NumberedEvent> {
    for await (const frame of cloud.streamJobEvents(id))
      yield { seq: Number(frame.id), event: JSON.parse(frame.data) as JobEvent };
  }

  return {
    cloud,
    create: async config => (await cloud.createJob({ name: 'test', config })).job.id,
    readConfig: async id => (await cloud.getJob(id)).job.config as JobConfigInput,
    async readLog(id) {
      const log: NumberedEvent[] = [];
      for await (const numbered of follow(id)) log.push(numbered);
      return log;
    },
    async until(id, isIt) {
      for await (const { event } of follow(id)) if (isIt(event)) return;
      throw new Error(`Job ${id} ended before that.`);
    },
    download: async (id, adapter) =>
      new Uint8Array(await (await cloud.downloadArtifact(id, adapter)).arrayBuffer()),
  };
}

export const idOf = (log: readonly NumberedEvent[]) => log[0]!.event.jobId;

/** The loss of each logged step. */
export function lossesOf(log: readonly NumberedEvent[]): number[] {
  return log.flatMap(({ event }) => (event.type === 'training.log' ? [event.loss!] : []));
}

/** How far one of these losses is at most from the one expected, as a share of it. */
export function furthest(losses: readonly number[], expected: readonly number[]): number {
  if (losses.length !== expected.length) return Number.POSITIVE_INFINITY;
  return Math.max(...losses.map((loss, i) => Math.abs(loss / expected[i]! - 1)));
}
