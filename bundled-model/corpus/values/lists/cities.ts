// Cities of the world, and parts of made-up town names.
import { readTexts } from '../../texts.js';
import data from './cities.json' with { type: 'json' };

export const { CITIES, TOWN_STARTS, TOWN_ENDS } = readTexts(data);
