// A kind of fact: how to ask for it, how to state it, and every fact of this kind.
import type { Named } from '../../intent.js';

/** Values for the placeholders of its topic; `right` is the only right answer. */
export type Fact = Named & { readonly right: string };

export interface Topic {
  asks: readonly string[];
  /** The fact in one sentence. */
  sentence: string;
  facts: readonly Fact[];
}

/** Splits pairs such as "hot: cold". */
export function parsePairs(pairs: readonly string[]): Fact[] {
  return pairs.map(pair => {
    const [thing, right] = pair.split(': ');
    return { thing: thing!, right: right! };
  });
}

/** Pairs each thing with the one after it. */
export function inOrder(things: readonly string[]): Fact[] {
  return things.slice(1).map((right, i) => ({ thing: things[i]!, right }));
}

/** Swaps question and answer. */
export function turnAround(facts: readonly Fact[]): Fact[] {
  return facts.map(({ thing, right }) => ({ thing: right, right: thing! }));
}
