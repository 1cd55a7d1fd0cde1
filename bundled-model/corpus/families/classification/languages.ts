// Sentences in seven languages.
import { readTexts } from '../../texts.js';
import data from './languages.json' with { type: 'json' };

export const { ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, DUTCH, PORTUGUESE } = readTexts(data);
