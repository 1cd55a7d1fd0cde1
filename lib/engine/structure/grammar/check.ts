// Checks a value against a JSON schema: for what a grammar cannot enforce. Draft 2020-12, and the older form of `items`.
import { findReference, type JsonSchema, requireSchema } from './keywords.js';
import { RULES } from './rules.js';

/** What is wrong with a value; null if it fits. */
export type Check = (value: unknown) => string | null;

/** References can lead to themselves. */
const DEEPEST = 200;

export function createCheck(root: JsonSchema): Check {
  function check(schema: JsonSchema, value: unknown, path: string, depth: number): string | null {
    if (schema === true) return null;
    if (schema === false) return `${path} must not be there`;
    if (depth > DEEPEST) return `${path} is nested too deeply`;
    const place = {
      keywords: schema,
      path,
      check: (given: unknown, inner: unknown, at = path) =>
        check(requireSchema(given, at), inner, at, depth + 1),
      follow: (reference: string) => findReference(root, reference, path),
    };
    for (const [name, expected] of Object.entries(schema)) {
      const rule = Object.hasOwn(RULES, name) ? RULES[name]! : null;
      const problem = expected === undefined ? null : rule?.(value, expected as never, place);
      if (problem) return problem;
    }
    return null;
  }

  return value => check(root, value, '$', 0);
}
