// Sentence patterns of four languages. The slots are forms of a noun: {the}, {a}, {my}, {your}, {plural}, …; a 2 is for
// a second noun, `Acc` and `in` for the German cases, `ofA` and `ofNo` for what French needs.
import { readTexts } from '../../texts.js';
import data from './patterns.json' with { type: 'json' };

export const {
  /** `tags of the noun | tags of the second, or a dash | English | French | Spanish | German` */
  PATTERN_ROWS,
  /** Patterns with an adjective that is said of the noun; `{be}` is the verb that Spanish needs for it. */
  PREDICATE_ROWS,
  /** Patterns with an adjective next to the noun. */
  ATTRIBUTE_PATTERN_ROWS,
  /** Words and short phrases, without a full stop. */
  BARE_ROWS,
  /** Patterns without a noun. */
  PERSON_ROWS,
} = readTexts(data);
