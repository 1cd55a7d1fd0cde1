// Feelings and weather.
import type { Intent } from '../../intent.js';
import { readTexts } from '../../texts.js';
import data from './moods.json' with { type: 'json' };

export const MOODS: readonly Intent[] = Object.values(readTexts(data));
