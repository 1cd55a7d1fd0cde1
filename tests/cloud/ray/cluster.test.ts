// Whether a run has a place on a cluster, and what it waits for.
import { describe, expect, it } from 'vitest';
import { findPlace, reserve, toNodes } from '../../../lib/cloud/ray/cluster.js';
import type { RunResources } from '../../../lib/contract/index.js';
import { toNode } from './scripted-ray.js';

const GIB = 2 ** 30;
const NODES = [
  toNode('head', { CPU: 2, memory: 4 * GIB }, true),
  toNode('a', { CPU: 8, GPU: 2, memory: 32 * GIB }),
];

function waitsFor(
  wanted: RunResources,
  usage: Parameters<typeof toNodes>[1] = null,
  nodes = NODES,
): string | null {
  const place = findPlace({ nodes: toNodes(nodes, usage) }, wanted);
  return place.fits ? null : place.waitsFor;
}

describe('a place on a cluster', () => {
  it('needs one CPU unless the run says more', () => {
    expect(waitsFor({})).toBeNull();
    expect(waitsFor({}, null, [toNode('head', {}, true)])).toBe('Waiting for 1 CPU: no node has one.');
  });

  it('tells a GPU that nobody has from GPUs that are in use', () => {
    expect(waitsFor({ gpus: 1 }, null, [NODES[0]!])).toBe('Waiting for 1 GPU: no node has one.');
    expect(waitsFor({ gpus: 1 }, { a: { GPU: [2, 2], CPU: [2, 8] } })).toBe(
      'Waiting for a free GPU: 2 in use.',
    );
    expect(waitsFor({ gpus: 1 }, { a: { GPU: [1, 2], CPU: [1, 8] } })).toBeNull();
  });

  it('names the largest node if all are too small', () => {
    expect(waitsFor({ gpus: 4 })).toBe('Waiting for 4 GPUs: the largest node has 2 GPUs.');
    expect(waitsFor({ memory: 64 * GIB })).toBe(
      'Waiting for 64 GiB of memory: the largest node has 32 GiB of memory.',
    );
  });

  it('needs all that a worker asks for on one node', () => {
    const nodes = [toNode('cpus', { CPU: 16 }), toNode('gpus', { CPU: 1, GPU: 4 })];
    expect(waitsFor({ cpus: 4, gpus: 1 }, null, nodes)).toBe(
      'Waiting for 4 CPUs and 1 GPU on one node: no node has all of it.',
    );
  });

  it('counts workers over all nodes', () => {
    expect(waitsFor({ workers: 10 })).toBeNull();
    expect(waitsFor({ workers: 11 })).toBe(
      'Waiting for 11 workers with 1 CPU each: the cluster has room for 10.',
    );
    expect(waitsFor({ workers: 3, cpus: 2 }, { a: { CPU: [6, 8] } })).toBe(
      'Waiting for 3 workers with 2 CPUs each: 2 fit now, 6 in use.',
    );
  });

  it('says that a cluster has no nodes', () => {
    expect(waitsFor({}, null, [])).toBe('Waiting for 1 CPU: the cluster has no nodes.');
    expect(waitsFor({}, null, [{ ...NODES[1]!, state: 'DEAD' }])).toContain('no nodes');
  });

  it('is taken by runs that the figures do not show yet', () => {
    const nodes = toNodes(NODES, {});
    expect(findPlace({ nodes: reserve(nodes, [{ gpus: 1 }]) }, { gpus: 1 })).toEqual({ fits: true });
    const full = { fits: false, waitsFor: 'Waiting for a free GPU: 2 in use.' };
    const taken = reserve(nodes, [{ gpus: 1, workers: 2 }]);
    expect(findPlace({ nodes: taken }, { gpus: 1 })).toMatchObject(full);
    expect(findPlace({ nodes }, { gpus: 2 })).toEqual({ fits: true });
  });
});
