// Texts for glossaries: {a}, {b} and {c} are terms; the others are what notation rules are about.
import { readTexts } from '../../texts.js';
import data from './texts.json' with { type: 'json' };

export const { TERM_TEXTS, RULE_TEXTS } = readTexts(data);
