// Accounts, passwords and subscriptions.
import type { Intent } from '../../intent.js';
import { readTexts } from '../../texts.js';
import data from './accounts.json' with { type: 'json' };

export const ACCOUNTS: readonly Intent[] = Object.values(readTexts(data));
