// Orders and deliveries.
import type { Intent } from '../../intent.js';
import { readTexts } from '../../texts.js';
import data from './orders.json' with { type: 'json' };

export const ORDERS: readonly Intent[] = Object.values(readTexts(data));
