// Notes and short letters from one person to another.
import type { Intent } from '../../intent.js';
import { readTexts } from '../../texts.js';
import data from './notes.json' with { type: 'json' };

const { thankYou, apology, invitation, accept, decline, birthday, congratulations, getWell, reminder } =
  readTexts(data);

export const NOTES: readonly Intent[] = [
  thankYou,
  thankYou,
  apology,
  invitation,
  accept,
  decline,
  birthday,
  congratulations,
  getWell,
  reminder,
];
