// Messages from users of a service: logging in, problems, questions, and canceling.
import { readTexts } from '../../../texts.js';
import { toTheme } from '../theme.js';
import data from './service.json' with { type: 'json' };

const texts = readTexts(data);

const nouns = ['message', 'text', 'mail', 'ticket', 'request'] as const;

export const account = toTheme({ ...texts.account, nouns });
export const trouble = toTheme({ ...texts.trouble, nouns });
export const question = toTheme({ ...texts.question, nouns });
export const cancel = toTheme({ ...texts.cancel, nouns });
