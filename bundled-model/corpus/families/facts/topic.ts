// A kind of fact: how it is asked, how it is said, and all that is known of it.
import type { Named } from '../../intent.js';

/** What stands for the placeholders of its topic; `right` is the only right answer. */
export type Fact = Named & { readonly right: string };

export interface Topic {
  asks: readonly string[];
  /** The fact in one sentence. */
  sentence: string;
  facts: readonly Fact[];
}

/** Of each pair, such as "hot: cold", the thing and what is right of it. */
export function parsePairs(pairs: readonly string[]): Fact[] {
  return pairs.map(pair => {
    const [thing, right] = pair.split(': ');
    return { thing: thing!, right: right! };
  });
}

/** Each thing and the one that comes after it. */
export function inOrder(things: readonly string[]): Fact[] {
  return things.slice(1).map((right, i) => ({ thing: things[i]!, right }));
}

/** The other way round. */
export function turnAround(facts: readonly Fact[]): Fact[] {
  return facts.map(({ thing, right }) => ({ thing: right, right: thing! }));
}
