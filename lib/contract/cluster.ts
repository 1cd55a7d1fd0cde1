// The cluster that a cloud trains on, as all members see it.
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
  /** Ray's version; null while the cluster does not respond. */
  version: z.nullable(z.string()),
  /** Why its state is unknown, and what to do; null if it responds. */
  problem: z.nullable(z.string()),
  nodes: z.array(clusterNode),
});

export type Cluster = z.output<typeof cluster>;

export const clusterActivity = z.object({
  ...cluster.shape,
  /** The attempts that the cloud is following; `worker` is null until one has claimed it. */
  runs: z.array(z.object({ jobId: z.string(), attempt: z.int(), worker: z.nullable(z.string()) })),
  /** Jobs that do not fit now, and why, such as that no node has a GPU. */
  waits: z.array(z.object({ jobId: z.string(), reason: z.string() })),
});

export type ClusterActivity = z.output<typeof clusterActivity>;

/** Null for a cloud that trains on its own machine. Only the project's own jobs are named. */
export const clusterResponse = z.object({ cluster: z.nullable(clusterActivity) });

export type ClusterResponse = z.output<typeof clusterResponse>;

/** The resources that a run requests. */
export const runResources = z.strictObject({
  cpus: z.optional(z.number().check(z.gt(0))),
  gpus: z.optional(z.number().check(z.gte(0))),
  /** In bytes, per worker. */
  memory: z.optional(z.int().check(z.gte(1))),
  workers: z.optional(z.int().check(z.gte(1))),
});

export type RunResources = z.output<typeof runResources>;
