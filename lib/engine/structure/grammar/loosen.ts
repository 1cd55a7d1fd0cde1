// Enforces only a part of a schema, where the rest is checked afterwards.

import { PatternError } from '../pattern/index.js';
import { requirePattern } from './checked-texts.js';
import { type Keywords, UnenforceableError } from './keywords.js';

/** The schema without the keyword that cannot be enforced; null if it cannot be helped. */
export function loosen(given: Keywords, error: unknown): Keywords | null {
  const isPattern = error instanceof PatternError;
  if (!isPattern && !(error instanceof UnenforceableError)) return null;
  const named = isPattern || error.keyword === 'pattern' ? ABOUT_TEXTS : [error.keyword];
  const keyword = [...named, ...COMBINING].find(name => given[name] !== undefined);
  if (keyword === undefined) return null;
  const { [keyword]: dropped, ...less } = given;
  if (keyword === 'pattern') for (const source of [dropped].flat()) requirePattern(source as string);
  if (keyword === 'patternProperties')
    for (const source of Object.keys(dropped as object)) requirePattern(source);
  return keyword === 'oneOf' && less.anyOf === undefined ? { ...less, anyOf: dropped } : less;
}

const ABOUT_TEXTS = ['pattern', 'notPattern', 'format', 'patternProperties', 'propertyNames'];

/** Parts that cannot be enforced together. */
const COMBINING = ['allOf', 'not', 'oneOf', 'anyOf', '$ref'];
