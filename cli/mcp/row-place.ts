// Where a row of the training data is, for an agent that may correct it.
import { readMappedName } from '../../lib/contract/index.js';

/** In the user's own file, also if the trainer mapped its rows. */
export function placeOf(text: { file: string; number: number } | null) {
  const source = text && readMappedName(text.file);
  return { file: source ?? text?.file ?? null, number: text?.number ?? null, mapped: source !== null };
}
