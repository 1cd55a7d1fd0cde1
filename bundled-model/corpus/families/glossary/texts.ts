// Texts for glossaries: {a}, {b} and {c} are terms; notation rules apply to the other slots.
import { readTexts } from '../../texts.js';
import data from './texts.json' with { type: 'json' };

export const { TERM_TEXTS, RULE_TEXTS } = readTexts(data);
