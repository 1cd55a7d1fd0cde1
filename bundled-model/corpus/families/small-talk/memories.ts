// What people tell about themselves and ask for later in the same conversation.
import type { Intent } from '../../intent.js';
import { readTexts } from '../../texts.js';
import data from './memories.json' with { type: 'json' };

export interface Memory {
  /** The user says it, and what is said back. */
  told: Intent;
  /** The user wants to hear it again. */
  recalled: Intent;
  /** What is answered when it was never told. */
  unknown: string;
}

export const MEMORIES: readonly Memory[] = Object.values(readTexts(data));
