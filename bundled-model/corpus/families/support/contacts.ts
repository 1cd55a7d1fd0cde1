// What the system prompt says about how to reach a company, and how to pay it.
import { readTexts } from '../../texts.js';
import data from './contacts.json' with { type: 'json' };
import type { Rule } from './rules.js';

export const CONTACTS: readonly Rule[] = Object.values(readTexts(data));
