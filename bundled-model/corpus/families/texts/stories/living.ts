// At home, among neighbours and friends.
import { readTexts } from '../../../texts.js';
import data from './living.json' with { type: 'json' };

const texts = readTexts(data);

export const LIVING: readonly (readonly string[])[] = texts.LIVING;
