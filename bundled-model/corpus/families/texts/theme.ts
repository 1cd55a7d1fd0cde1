// The theme of a text: its sentences, and its words for people and numbers.
import { byKind, type Kind } from './kinds.js';

export interface Theme {
  name: string;
  /** `first` for messages in the first person, with a greeting and a signature; `third` for notes about others. */
  voice: 'first' | 'third';
  /** Words for the text itself, as in "this message". */
  nouns: readonly string[];
  /** Names of the topic, for labels. */
  labels: readonly string[];
  /** Who handles it. */
  departments: readonly string[];
  /** What the writer wants. */
  intents: readonly string[];
  /** Themes too similar to this one for labels to distinguish. */
  near: readonly string[];
  /** Words for kinds of values in this theme. They come before the general words. */
  phrases: Partial<Record<Kind, readonly string[]>>;
  /** Sentences that show the theme on their own. */
  openings: readonly string[];
  /** Sentences that may follow. */
  details: readonly string[];
}

interface ThemeTexts extends Omit<Theme, 'voice' | 'phrases'> {
  voice: string;
  phrases: Readonly<Record<string, readonly string[]>>;
}

/** Checks a theme from a data file. */
export function toTheme(texts: ThemeTexts): Theme {
  const { voice } = texts;
  if (voice !== 'first' && voice !== 'third') throw new Error(`There is no voice named "${voice}".`);
  return { ...texts, voice, phrases: byKind(texts.phrases) };
}
