// One line of news each, by what it is about.
import { readTexts } from '../../texts.js';
import data from './news.json' with { type: 'json' };

export const { SPORT, WEATHER, BUSINESS, POLITICS, HEALTH, CULTURE, SCIENCE, CRIME } = readTexts(data);
