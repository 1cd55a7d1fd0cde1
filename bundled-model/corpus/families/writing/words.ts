// Subjects to write about. Each list fits all sentences of its kind.
import { readTexts } from '../../texts.js';
import data from './words.json' with { type: 'json' };

export const {
  ANIMALS,
  OBJECTS,
  PLACES,
  ACTIONS,
  QUALITIES,
  PEOPLE,
  /** After "thank you for". */
  GIFTS,
  /** After "invitation to" and "come to". */
  EVENTS,
  /** After "it is". */
  FEATURES,
  /** After "it is … and". */
  USES,
  /** After "remind NAME to". */
  TASKS,
  TRAITS,
  /** After "NAME is … and". */
  MERITS,
} = readTexts(data);
