// What a system prompt says that asks for nothing special.
import type { Draw } from './draw.js';
import type { Turn } from './family.js';

const MANNERS: readonly string[] = [
  'You are a helpful assistant.',
  'You are a friendly assistant.',
  'You are a helpful and polite assistant.',
  'You answer in short and simple sentences.',
  'Be kind and helpful.',
  'Answer in a friendly way.',
  'You are a small assistant on this computer.',
  'Keep your answers short.',
  'Help the user.',
  'You are an assistant. Be brief and clear.',
  'Give short answers in plain English.',
  'Talk to the user in a friendly way.',
  'Use simple words.',
  'You help people with short answers.',
  'You are a polite helper.',
  'Be brief, clear and polite.',
  'You are here to help.',
  'Write clear and simple English.',
  'Please be helpful and honest.',
  'You are a calm and kind assistant.',
];

/** A system turn, or mostly none. */
export function someManners(draw: Draw): Turn[] {
  return draw.chance(0.25) ? [{ role: 'system', content: draw.wording(MANNERS) }] : [];
}
