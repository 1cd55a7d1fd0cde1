// Adjectives of four languages: what they may be said of, then French forms, Spanish form and verb, and German form.
import { readTexts } from '../../texts.js';
import data from './adjectives.json' with { type: 'json' };

export const {
  /**
   * `english | tags | masculine/feminine of French, with both plurals where they are not formed with s | Spanish verb and
   * form, with the plural where it is irregular | german`
   */
  ADJECTIVE_ROWS,
  /** Those that also stand next to a noun; in French some come before it, one with a form of its own before a vowel. */
  ATTRIBUTE_ROWS,
} = readTexts(data);
