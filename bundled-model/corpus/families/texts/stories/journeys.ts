// Who went where.
import { readTexts } from '../../../texts.js';
import data from './journeys.json' with { type: 'json' };

const texts = readTexts(data);

export const JOURNEYS: readonly (readonly string[])[] = texts.JOURNEYS;
