// The cluster as it is now, asked at most once in a while, however many ask.
import type { Clock } from '../../clock/index.js';
import type { Cluster } from '../../contract/index.js';
import type { RayClient } from './client.js';
import { toNodes } from './cluster.js';
import { RayError } from './ray-error.js';

export interface ClusterReader {
  /** Never throws for a cluster that is away: the answer says so. */
  read(): Promise<Cluster>;
}

const FRESH_MS = 2000;

export function createClusterReader(client: RayClient, clock: Clock): ClusterReader {
  let last: { at: number; cluster: Promise<Cluster> } | null = null;
  return {
    read() {
      if (last === null || clock.elapsed() - last.at > FRESH_MS)
        last = { at: clock.elapsed(), cluster: readNow(client) };
      return last.cluster;
    },
  };
}

async function readNow(client: RayClient): Promise<Cluster> {
  const about = { kind: 'ray', url: client.url } as const;
  try {
    const [version, nodes, usage] = await Promise.all([
      client.readVersion(),
      client.listNodes(),
      client.readUsage(),
    ]);
    return { ...about, version, problem: null, nodes: toNodes(nodes, usage) };
  } catch (error) {
    if (!(error instanceof RayError)) throw error;
    return { ...about, version: null, problem: error.message, nodes: [] };
  }
}
