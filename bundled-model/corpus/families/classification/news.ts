// One-line news items, by subject.
import { readTexts } from '../../texts.js';
import data from './news.json' with { type: 'json' };

export const { SPORT, WEATHER, BUSINESS, POLITICS, HEALTH, CULTURE, SCIENCE, CRIME } = readTexts(data);
