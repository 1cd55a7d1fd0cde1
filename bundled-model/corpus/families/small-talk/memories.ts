// What people say about themselves and ask for later in the same conversation.
import type { Intent } from '../../intent.js';
import { readTexts } from '../../texts.js';
import data from './memories.json' with { type: 'json' };

export interface Memory {
  /** The user says it, with the reply. */
  told: Intent;
  /** The user asks for it again. */
  recalled: Intent;
  /** The answer if the user never said it. */
  unknown: string;
}

export const MEMORIES: readonly Memory[] = Object.values(readTexts(data));
