// Parts of made-up company names, product names and mail domains.
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
  /** Reserved for examples, so these addresses reach no one. */
  MAIL_ENDINGS,
} = readTexts(data);
