// Adjectives in four languages: tags of the nouns they fit, then the French forms, the Spanish verb and form, and the
// German form.
import { readTexts } from '../../texts.js';
import data from './adjectives.json' with { type: 'json' };

export const {
  /**
   * `english | tags | masculine/feminine of French, with both plurals where they are not formed with s | Spanish verb and
   * form, with the plural where it is irregular | german`
   */
  ADJECTIVE_ROWS,
  /** Adjectives that also stand next to a noun. In French some precede it, one with a special form before a vowel. */
  ATTRIBUTE_ROWS,
} = readTexts(data);
