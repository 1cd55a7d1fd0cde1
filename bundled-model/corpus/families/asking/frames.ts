// Words around a task that do not depend on it.
import { readTexts } from '../../texts.js';
import data from './frames.json' with { type: 'json' };

export const {
  PLAIN_SYSTEMS,
  SYSTEM_FRAMES,
  /** How a user asks for the same thing again. */
  FOLLOW_UPS,
  EXAMPLES,
} = readTexts(data);
