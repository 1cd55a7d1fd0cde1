// The cluster of all test files, which takes long to start: three nodes with a CPU each, beside the head.
import type { TestProject } from 'vitest/node';
import { startCluster, type TestCluster } from './cluster.js';

export const NODES = 3;

interface SharedCluster extends Pick<TestCluster, 'url' | 'tokenFile'> {
  /** Names of nodes, by which their processes are found. */
  nodes: string[];
}

declare module 'vitest' {
  interface ProvidedContext {
    cluster: SharedCluster;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster([]);
  try {
    const nodes = await Promise.all(Array.from({ length: NODES }, () => cluster.addNode(1)));
    const { url, tokenFile } = cluster;
    project.provide('cluster', { url, tokenFile, nodes: nodes.map(({ name }) => name) });
  } catch (error) {
    await cluster.close();
    throw error;
  }
  return cluster.close;
}
