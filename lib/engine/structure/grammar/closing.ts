// The shortest text that ends what a grammar has begun to write, so that an answer can be closed in time.
import type { Node } from './matcher.js';

/** A text in parts, which long schemas share. */
export interface Closing {
  readonly length: number;
  readonly parts: readonly (Closing | Uint8Array)[];
}

export const CLOSED: Closing = { length: 0, parts: [] };

export function join(...parts: (Closing | Uint8Array)[]): Closing {
  const written = parts.filter(({ length }) => length > 0);
  return { length: written.reduce((sum, { length }) => sum + length, 0), parts: written };
}

export function toBytes(closing: Closing): Uint8Array {
  const bytes = new Uint8Array(closing.length);
  const waiting: (Closing | Uint8Array)[] = [closing];
  let at = 0;
  for (let part = waiting.pop(); part; part = waiting.pop()) {
    if (part instanceof Uint8Array) {
      bytes.set(part, at);
      at += part.length;
    } else waiting.push(...part.parts.toReversed());
  }
  return bytes;
}

export function firstByte(closing: Closing): number | undefined {
  let [part] = closing.parts;
  while (part && !(part instanceof Uint8Array)) [part] = part.parts;
  return part?.[0];
}

/** Options are compared up to this many; from then on, the first that ends is taken. */
const MOST_COMPARED = 5000;
const MOST_LOOKS = 50_000;

/** The shortest text of a node; null if it has none, or if finding it would take too long. */
export function createClosings(): (node: Node) => Closing | null {
  const known = new WeakMap<Node, Closing>();
  const above = new Set<Node>();
  let looks = 0;

  function find(node: Node): Closing | null {
    if (node.kind === 'match') return join(node.matcher.closing());
    if (node.kind === 'later') return look(node.get());
    return node.kind === 'sequence' ? findAll(node.items) : findBest(node.items);
  }

  function findAll(items: readonly Node[]): Closing | null {
    const parts: Closing[] = [];
    for (const item of items) {
      const part = look(item);
      if (!part) return null;
      parts.push(part);
    }
    return join(...parts);
  }

  function findBest(items: readonly Node[]): Closing | null {
    let best: Closing | null = null;
    for (const item of items) {
      const found = look(item);
      if (found && (!best || found.length < best.length)) best = found;
      if (best && (best.length === 0 || looks > MOST_COMPARED)) break;
    }
    return best;
  }

  function look(node: Node): Closing | null {
    const closing = known.get(node);
    if (closing) return closing;
    // The shortest text of a node never contains that node again.
    if (above.has(node) || ++looks > MOST_LOOKS) return null;
    above.add(node);
    const found = find(node);
    above.delete(node);
    if (found) known.set(node, found);
    return found;
  }

  return look;
}
