// Converts Ray's nodes to the cluster that users see, and decides whether a run fits on it.
import type { Clock } from '../../clock/index.js';
import type { Cluster, ClusterNode, ClusterShare, RunResources } from '../../contract/index.js';
import type { RayClient } from './client.js';
import { RayError } from './ray-error.js';
import type { RayNode, UsageByNode } from './ray-responses.js';

const RESOURCES = { cpus: 'CPU', gpus: 'GPU', memory: 'memory' } as const;
type Resource = keyof typeof RESOURCES;

export function toNodes(nodes: readonly RayNode[], usage: UsageByNode | null): ClusterNode[] {
  return nodes
    .filter(({ state }) => state === 'ALIVE')
    .map(node => ({
      name: node.node_name || node.node_ip,
      address: node.node_ip,
      isHead: node.is_head_node,
      cpus: toShare(node, usage, 'cpus'),
      gpus: toShare(node, usage, 'gpus'),
      memory: toShare(node, usage, 'memory'),
    }))
    .sort(
      (a, b) =>
        Number(b.isHead) - Number(a.isHead) || a.address.localeCompare(b.address, 'en', { numeric: true }),
    );
}

function toShare(node: RayNode, usage: UsageByNode | null, resource: Resource): ClusterShare {
  const name = RESOURCES[resource];
  const own = usage?.[node.node_id];
  return { total: node.resources_total[name] ?? 0, used: own ? (own[name]?.[0] ?? 0) : null };
}

type Fit = { fits: true } | { fits: false; waitsFor: string; isPossible: boolean };

/** A node whose use is unknown counts as free: Ray then queues the run. */
export function findPlace({ nodes }: Pick<Cluster, 'nodes'>, wanted: RunResources): Fit {
  const { workers = 1 } = wanted;
  const need = toNeed(wanted);
  const total = countPlaces(nodes, need, ({ total }) => total);
  if (total < workers)
    return { fits: false, isPossible: false, waitsFor: `${describeMissing(nodes, need, workers, total)}.` };
  const free = countPlaces(nodes, need, freeOf);
  if (free >= workers) return { fits: true };
  return { fits: false, isPossible: true, waitsFor: `${describeBusy(nodes, need, workers, free)}.` };
}

/** The nodes after placing these runs, which the cluster's own figures do not include yet. */
export function reserve(nodes: readonly ClusterNode[], runs: readonly RunResources[]): ClusterNode[] {
  const rest = nodes.map(node => ({ ...node }));
  // Nodes only fill up, so earlier ones cannot fit the same need again.
  const firsts = new Map<string, number>();
  for (const run of runs) {
    const need = toNeed(run);
    const kind = JSON.stringify(need);
    for (let worker = 0; worker < (run.workers ?? 1); worker++)
      firsts.set(kind, takePlace(rest, need, firsts.get(kind) ?? 0));
  }
  return rest;
}

/** Returns the node that fits, by index. */
function takePlace(nodes: ClusterNode[], need: Need, from: number): number {
  let at = from;
  while (at < nodes.length && countPlaces([nodes[at]!], need, freeOf) === 0) at++;
  const node = nodes[at];
  if (node)
    for (const name of resourcesOf(need))
      node[name] = { total: node[name].total, used: (node[name].used ?? 0) + need[name] };
  return at;
}

type Need = Record<Resource, number>;

const toNeed = ({ cpus = 1, gpus = 0, memory = 0 }: RunResources): Need => ({ cpus, gpus, memory });
const freeOf = ({ total, used }: ClusterShare) => total - (used ?? 0);

/** How many workers fit at once: each needs a node, and several may share one. */
function countPlaces(
  nodes: readonly ClusterNode[],
  need: Need,
  available: (share: ClusterShare) => number,
): number {
  return nodes.reduce((sum, node) => {
    const counts = resourcesOf(need).map(name => Math.floor(available(node[name]) / need[name] + 1e-9));
    return sum + Math.max(0, Math.min(...counts));
  }, 0);
}

const resourcesOf = (need: Need) => (Object.keys(RESOURCES) as Resource[]).filter(name => need[name] > 0);

function describeMissing(nodes: readonly ClusterNode[], need: Need, workers: number, places: number): string {
  if (nodes.length === 0) return `Waiting for ${describe(need)}: the cluster has no nodes`;
  if (workers > 1 && places > 0)
    return `Waiting for ${workers} workers with ${describe(need)} each: the cluster has room for ${places}`;
  const missing = resourcesOf(need).filter(name => nodes.every(node => node[name].total < need[name]));
  const [first] = missing;
  if (first === undefined) return `Waiting for ${describe(need)} on one node: no node has all of it`;
  const most = Math.max(...nodes.map(node => node[first].total));
  const best = most === 0 ? 'no node has one' : `the largest node has ${amount(first, most)}`;
  return `Waiting for ${amount(first, need[first])}: ${first === 'memory' && most === 0 ? 'no node offers any' : best}`;
}

function describeBusy(nodes: readonly ClusterNode[], need: Need, workers: number, free: number): string {
  const scarce = need.gpus > 0 ? 'gpus' : need.cpus > 0 ? 'cpus' : 'memory';
  const used = nodes.reduce((sum, node) => sum + (node[scarce].used ?? 0), 0);
  const busy = scarce === 'memory' ? `${formatMemory(used)} in use` : `${trim(used)} in use`;
  if (workers > 1)
    return `Waiting for ${workers} workers with ${describe(need)} each: ${free} fit now, ${busy}`;
  const count = need[scarce];
  if (scarce !== 'memory' && count <= 1) return `Waiting for a free ${RESOURCES[scarce]}: ${busy}`;
  return `Waiting for ${amount(scarce, count)} to be free: ${busy}`;
}

function describe(need: Need): string {
  const parts = resourcesOf(need).map(name => amount(name, need[name]));
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? 'a place');
}

function amount(name: Resource, count: number): string {
  if (name === 'memory') return `${formatMemory(count)} of memory`;
  return `${trim(count)} ${RESOURCES[name]}${count > 1 ? 's' : ''}`;
}

const formatMemory = (bytes: number) => `${trim(bytes / 2 ** 30)} GiB`;
const trim = (count: number) => String(Math.round(count * 100) / 100);

/** Never rejects if the cluster is unreachable: the result says so. */
export type ReadCluster = () => Promise<Cluster>;

const FRESH_MS = 2000;

/** The cluster's current state, requested at most once per interval however many callers there are. */
export function createClusterReader(client: RayClient, clock: Clock): ReadCluster {
  let last: { at: number; cluster: Promise<Cluster> } | null = null;
  return () => {
    if (last === null || clock.elapsed() - last.at > FRESH_MS)
      last = { at: clock.elapsed(), cluster: readNow(client) };
    return last.cluster;
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
