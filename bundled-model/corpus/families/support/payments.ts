// Refunds, returns, bills and prices.
import type { Intent } from '../../intent.js';
import { readTexts } from '../../texts.js';
import data from './payments.json' with { type: 'json' };

export const PAYMENTS: readonly Intent[] = Object.values(readTexts(data));
