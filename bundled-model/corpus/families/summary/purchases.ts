// Emails about a purchase: what is wrong with it, and what the customer wants.
import { readTexts } from '../../texts.js';
import data from './purchases.json' with { type: 'json' };

const texts = readTexts(data);

export const { OPENINGS } = texts;

export interface Fact {
  /** In the words of the summary. */
  summary: string;
  /** In the words of customers. */
  texts: readonly string[];
}

/** The summary follows "because". */
export const REASONS: readonly Fact[] = texts.REASONS;

/** The summary follows the name. */
export const WANTS: readonly (Fact & { subject: string })[] = texts.WANTS;
