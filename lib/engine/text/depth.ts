// Templates and JSON writers recurse, so what is nested thousands of levels deep would overflow the stack. JSON text inside of
// a text gets past the limit of requests.
import { TextError } from './errors.js';

/** As many as a request may have. */
const DEEPEST = 100;

/** Throws a `TextError` that names the value. */
export function requireShallow(value: unknown, at: string): void {
  let level = [value].filter(isNested);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > DEEPEST) throw new TextError(`${at} is nested deeper than ${DEEPEST} levels`);
    level = level.flatMap(parent => Object.values(parent).filter(isNested));
  }
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;
