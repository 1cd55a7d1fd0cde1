// How people ask for a translation. `{language}` is the foreign language, even when translating into English.
import { readTexts } from '../../texts.js';
import data from './wordings.json' with { type: 'json' };

export const { INTO, INTO_MESSAGES, BACK, BACK_MESSAGES, WHICH, WHICH_MESSAGES } = readTexts(data);
