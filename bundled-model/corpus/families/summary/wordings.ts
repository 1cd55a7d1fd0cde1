// How people ask for a summary or a subject line.
import { readTexts } from '../../texts.js';
import data from './wordings.json' with { type: 'json' };

export const { SUMMARIZE, CUSTOMER, SUBJECT } = readTexts(data);
