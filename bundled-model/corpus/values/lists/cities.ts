// Cities of the world, and pieces that made-up towns are built from.
import { readTexts } from '../../texts.js';
import data from './cities.json' with { type: 'json' };

export const { CITIES, TOWN_STARTS, TOWN_ENDS } = readTexts(data);
