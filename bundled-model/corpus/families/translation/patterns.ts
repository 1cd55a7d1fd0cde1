// Sentence patterns in four languages. The slots are forms of a noun: {the}, {a}, {my}, {your}, {plural}, …; a 2 stands
// for a second noun, `Acc` and `in` for German cases, `ofA` and `ofNo` for French articles.
import { readTexts } from '../../texts.js';
import data from './patterns.json' with { type: 'json' };

export const {
  /** `tags of the noun | tags of the second noun, or a dash | English | French | Spanish | German` */
  PATTERN_ROWS,
  /** Patterns with a predicate adjective; `{be}` is the Spanish verb that the adjective needs. */
  PREDICATE_ROWS,
  /** Patterns with an adjective next to the noun. */
  ATTRIBUTE_PATTERN_ROWS,
  /** Words and short phrases, without a full stop. */
  BARE_ROWS,
  /** Patterns without a noun. */
  PERSON_ROWS,
} = readTexts(data);
