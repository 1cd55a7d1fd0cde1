// What a text is about: its sentences, and what its people and numbers are called there.
import { byKind, type Kind } from './kinds.js';

export interface Theme {
  name: string;
  /** `first` for what somebody writes themselves, with a greeting and a name below; `third` for a note about others. */
  voice: 'first' | 'third';
  /** Words for the text itself, as in "this message". */
  nouns: readonly string[];
  /** Names of the topic, for labels. */
  labels: readonly string[];
  /** Who takes care of it. */
  departments: readonly string[];
  /** What the writer wants. */
  intents: readonly string[];
  /** Themes too much like this one to be told apart by a label. */
  near: readonly string[];
  /** What a kind of value is called in this theme, before the general words for it. */
  phrases: Partial<Record<Kind, readonly string[]>>;
  /** Sentences that show the theme by themselves. */
  openings: readonly string[];
  /** Sentences that may follow. */
  details: readonly string[];
}

interface ThemeTexts extends Omit<Theme, 'voice' | 'phrases'> {
  voice: string;
  phrases: Readonly<Record<string, readonly string[]>>;
}

/** A theme as a data file has it. */
export function toTheme(texts: ThemeTexts): Theme {
  const { voice } = texts;
  if (voice !== 'first' && voice !== 'third') throw new Error(`There is no voice named "${voice}".`);
  return { ...texts, voice, phrases: byKind(texts.phrases) };
}
