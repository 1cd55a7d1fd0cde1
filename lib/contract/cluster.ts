// The cluster that a cloud trains on, as everyone may see it.
import * as z from 'zod/mini';

const share = z.object({
  total: z.number(),
  /** Null if the cluster does not say. */
  used: z.nullable(z.number()),
});

export type ClusterShare = z.output<typeof share>;

const clusterNode = z.object({
  name: z.string(),
  address: z.string(),
  isHead: z.boolean(),
  cpus: share,
  gpus: share,
  /** In bytes. */
  memory: share,
});

export type ClusterNode = z.output<typeof clusterNode>;

const cluster = z.object({
  kind: z.enum(['ray']),
  url: z.string(),
  /** Ray's version; null while it does not answer. */
  version: z.nullable(z.string()),
  /** Why nothing is known about it now, and what to do; null if it answers. */
  problem: z.nullable(z.string()),
  nodes: z.array(clusterNode),
});

export type Cluster = z.output<typeof cluster>;

export const clusterActivity = z.object({
  ...cluster.shape,
  /** The attempts that the cloud follows; `worker` is null until one has claimed it. */
  runs: z.array(z.object({ jobId: z.string(), attempt: z.int(), worker: z.nullable(z.string()) })),
  /** Jobs that have no place now, and why, such as that no node has a GPU. */
  waits: z.array(z.object({ jobId: z.string(), reason: z.string() })),
});

export type ClusterActivity = z.output<typeof clusterActivity>;

/** Null for a cloud that trains on its own machine. Of jobs, only those of the project are named. */
export const clusterAnswer = z.object({ cluster: z.nullable(clusterActivity) });

export type ClusterAnswer = z.output<typeof clusterAnswer>;

/** What a run asks for. */
export const runResources = z.strictObject({
  cpus: z.optional(z.number().check(z.gt(0))),
  gpus: z.optional(z.number().check(z.gte(0))),
  /** In bytes, for each worker. */
  memory: z.optional(z.int().check(z.gte(1))),
  workers: z.optional(z.int().check(z.gte(1))),
});

export type RunResources = z.output<typeof runResources>;
