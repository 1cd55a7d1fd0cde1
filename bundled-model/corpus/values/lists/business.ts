// Pieces that made-up companies, products and mail domains are built from.
import { readTexts } from '../../texts.js';
import data from './business.json' with { type: 'json' };

export const {
  COMPANY_STARTS,
  COMPANY_MIDDLES,
  COMPANY_KINDS,
  COMPANY_FORMS,
  PRODUCT_KINDS,
  PRODUCT_LINES,
  MAIL_WORDS,
  /** Reserved for examples: no such address reaches anybody. */
  MAIL_ENDINGS,
} = readTexts(data);
