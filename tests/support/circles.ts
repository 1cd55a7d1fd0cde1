// Circles among the imports of a tree: files or folders that need each other, so that none can be read or moved alone.
// Folders are compared with what lies beside them: a folder that imports a file which imports the folder is a circle too.
import { posix } from 'node:path';
import { readSource, type SourceFile } from './source.js';

type Graph = Map<string, Set<string>>;

/** Each circle as the sorted paths of what stands in it. */
export function findCircles(files: readonly SourceFile[]): string[][] {
  const byStem = new Map(files.map(({ path }) => [toStem(path), path]));
  const graph: Graph = new Map();
  for (const file of files) {
    for (const { kind, name } of readSource(file).references) {
      if (kind === 'url' || !name?.startsWith('.')) continue;
      const stem = toStem(posix.join(posix.dirname(file.path), name.replace(/\?.*$/, '')));
      const target = byStem.get(stem) ?? byStem.get(posix.join(stem, 'index'));
      if (target !== undefined && target !== file.path) addEdge(graph, file.path, target);
    }
  }
  return findKnots(graph).map(knot => knot.sort());
}

/** Between the outermost folders, or files, in which the two paths differ. */
function addEdge(graph: Graph, from: string, to: string): void {
  const [one, other] = [from.split('/'), to.split('/')];
  const shared = one.findIndex((part, i) => part !== other[i]);
  const [source, target] = [one, other].map(parts => parts.slice(0, shared + 1).join('/')) as [
    string,
    string,
  ];
  graph.set(source, (graph.get(source) ?? new Set()).add(target));
}

/** The strongly connected components of more than one node, by Tarjan's algorithm. */
function findKnots(graph: Graph): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const knots: string[][] = [];

  function visit(node: string): void {
    order.set(node, order.size);
    lowest.set(node, order.get(node)!);
    path.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (path.includes(next)) lowest.set(node, Math.min(lowest.get(node)!, lowest.get(next)!));
    }
    if (lowest.get(node) !== order.get(node)) return;
    const knot = path.splice(path.indexOf(node));
    if (knot.length > 1) knots.push(knot);
  }

  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return knots;
}

function toStem(path: string): string {
  return path.replace(/\.[cm]?[jt]sx?$/, '');
}
