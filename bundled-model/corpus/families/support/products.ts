// Products, the app, and the support team.
import type { Intent } from '../../intent.js';
import { readTexts } from '../../texts.js';
import data from './products.json' with { type: 'json' };

const texts = readTexts(data);

export const PRODUCTS: readonly Intent[] = Object.values(texts.PRODUCTS);
export const SERVICE: readonly Intent[] = Object.values(texts.SERVICE);
