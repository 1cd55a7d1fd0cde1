// Who bought, sold and lent what.
import { readTexts } from '../../../texts.js';
import data from './buying.json' with { type: 'json' };

const texts = readTexts(data);

export const BUYING: readonly (readonly string[])[] = texts.BUYING;
