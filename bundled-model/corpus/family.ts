// A family of conversations: one skill that the base model learns.
import type { Draw } from './draw.js';
import type { Values } from './values/index.js';

export interface Turn {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface Family {
  /** As in the model card. */
  name: string;
  /** How often it is drawn, relative to the others. */
  weight: number;
  /** `exact` if there is one right answer; otherwise token accuracy is the better measure. */
  score: 'exact' | 'tokens';
  /** One conversation: an optional system turn, then user and assistant alternating, ending with the assistant. */
  make(draw: Draw, values: Values): Turn[];
}
