// Subjects of small talk: closed lists of feelings and weather, and what people say about themselves.
import { readTexts } from '../../texts.js';
import data from './words.json' with { type: 'json' };

export const {
  GOOD_FEELINGS,
  BAD_FEELINGS,
  TIRED_FEELINGS,
  ANGRY_FEELINGS,
  SICK_FEELINGS,
  GOOD_WEATHER,
  BAD_WEATHER,
  DAYS,
  COLOURS,
  PETS,
  RELATIVES,
  /** Relatives that any first name fits. */
  CONTACTS,
  HOBBIES,
  FOODS,
  JOBS,
} = readTexts(data);
