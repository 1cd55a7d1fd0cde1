// The cluster of all test files, which takes long to start: two nodes with a CPU each, beside the head.
import type { TestProject } from 'vitest/node';
import { findFreePort } from '../../support/free-port.js';
import { startCluster, type TestCluster } from './cluster.js';

export const NODES = 2;

interface SharedCluster extends Pick<TestCluster, 'url' | 'tokenFile'> {
  /** Names of nodes, by which their processes are found. */
  nodes: string[];
  /** Where Ray Serve answers: it keeps the port of its first start. */
  serveUrl: string;
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
    const serveUrl = `http://127.0.0.1:${await findFreePort()}`;
    project.provide('cluster', { url, tokenFile, serveUrl, nodes: nodes.map(({ name }) => name) });
  } catch (error) {
    await cluster.close();
    throw error;
  }
  return cluster.close;
}
