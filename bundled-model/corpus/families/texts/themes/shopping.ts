// Messages from customers about things they bought.
import { readTexts } from '../../../texts.js';
import { toTheme } from '../theme.js';
import data from './shopping.json' with { type: 'json' };

const texts = readTexts(data);

const nouns = ['message', 'text', 'mail', 'email', 'note'] as const;

export const order = toTheme({ ...texts.order, nouns });
export const delivery = toTheme({ ...texts.delivery, nouns });
export const refund = toTheme({ ...texts.refund, nouns });
