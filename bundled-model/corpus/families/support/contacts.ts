// Facts in the system prompt about how to reach and pay a company.
import { readTexts } from '../../texts.js';
import data from './contacts.json' with { type: 'json' };
import type { Rule } from './rules.js';

export const CONTACTS: readonly Rule[] = Object.values(readTexts(data));
