// Notes to staff, notes to neighbors, and letters about a job.
import { readTexts } from '../../../texts.js';
import { toTheme } from '../theme.js';
import data from './people.json' with { type: 'json' };

const texts = readTexts(data);

export const staff = toTheme(texts.staff);
export const neighbour = toTheme(texts.neighbour);
export const job = toTheme(texts.job);
