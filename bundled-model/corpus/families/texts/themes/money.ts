// Billing: questions from customers, and notes about invoices.
import { readTexts } from '../../../texts.js';
import { toTheme } from '../theme.js';
import data from './money.json' with { type: 'json' };

const texts = readTexts(data);

export const billing = toTheme(texts.billing);
export const invoice = toTheme(texts.invoice);
