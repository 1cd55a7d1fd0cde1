// The random choices of the families. Every choice of a conversation comes from one numbered source, and held-out items
// are kept apart here, so that no family can forget to.
import { createRandom } from '../../lib/engine/random.js';
import { isHeldOutWording, type Part, partOfValue } from './partition.js';

export interface Draw {
  readonly part: Part;
  /** A whole number from `low` to `high`, inclusive. */
  integer(low: number, high: number): number;
  chance(probability: number): boolean;
  /** Any entry of a list that has no held-out side: labels, languages, kinds. */
  pick<T>(list: readonly T[]): T;
  /** Any entry of a list, by weight. */
  weighted<T extends { weight: number }>(list: readonly T[]): T;
  /** Distinct entries of a list, in random order. */
  sample<T>(list: readonly T[], count: number): T[];
  shuffle<T>(list: readonly T[]): T[];
  /** A sentence template of this part. Held-out templates appear in no training conversation. */
  wording(templates: readonly string[]): string;
  /** A value of this part: from a list, or generated until one belongs to this part. */
  value(source: readonly string[] | (() => string)): string;
}

/** All random choices for the conversation with this number. */
export function createDraw(part: Part, seed: number, number: number): Draw {
  const random = createRandom(seed, number);
  const integer = (low: number, high: number) => low + Math.floor(random.next() * (high - low + 1));
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)]!;
  const sample = <T>(list: readonly T[], count: number): T[] => {
    const rest = [...list];
    return Array.from(
      { length: Math.min(count, rest.length) },
      () => rest.splice(integer(0, rest.length - 1), 1)[0]!,
    );
  };
  return {
    part,
    integer,
    chance: probability => random.next() < probability,
    pick,
    weighted(list) {
      let left = random.next() * list.reduce((sum, { weight }) => sum + weight, 0);
      for (const one of list) {
        left -= one.weight;
        if (left < 0) return one;
      }
      return list.at(-1)!;
    },
    sample,
    shuffle: list => sample(list, list.length),
    wording(templates) {
      const heldOut = part === 'held-out' || part === 'practice-held-out';
      return pick(sideOf(templates, heldOut));
    },
    value(source) {
      if (typeof source !== 'function') return pick(valuesOf(source, part));
      for (;;) {
        const made = source();
        if (partOfValue(made) === part) return made;
      }
    },
  };
}

type Sides = Record<'training' | 'heldOut', readonly string[]>;
const sides = new WeakMap<readonly string[], Sides>();

/** If all templates of a list fall on one side, the other side uses its first template, or all of them. */
function sideOf(templates: readonly string[], heldOut: boolean): readonly string[] {
  let found = sides.get(templates);
  if (!found) {
    const out = templates.filter(isHeldOutWording);
    const training = templates.filter(template => !isHeldOutWording(template));
    found = {
      training: training.length > 0 ? training : templates.slice(1),
      heldOut: out.length > 0 && training.length > 0 ? out : templates.slice(0, 1),
    };
    if (out.length === 0) found.training = templates.length > 1 ? templates.slice(1) : templates;
    sides.set(templates, found);
  }
  return heldOut ? found.heldOut : found.training;
}

const values = new WeakMap<readonly string[], Map<Part, readonly string[]>>();

function valuesOf(list: readonly string[], part: Part): readonly string[] {
  const parts = values.get(list) ?? new Map<Part, readonly string[]>();
  values.set(list, parts);
  const found = parts.get(part) ?? list.filter(value => partOfValue(value) === part);
  parts.set(part, found);
  if (found.length === 0) throw new Error(`A list of ${list.length} values has none of the part ${part}.`);
  return found;
}
