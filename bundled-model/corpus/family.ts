// A family of conversations: one kind of thing that the base model learns to do.
import type { Draw } from './draw.js';
import type { Values } from './values/index.js';

export interface Turn {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export interface Family {
  /** As the model card has it. */
  name: string;
  /** How often it comes, against the others. */
  weight: number;
  /** `exact` when there is one right answer; else the share of right tokens tells how well it does. */
  score: 'exact' | 'tokens';
  /** One conversation: a system turn or none, then user and assistant in turn, the assistant last. */
  make(draw: Draw, values: Values): Turn[];
}
