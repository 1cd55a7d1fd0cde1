// Translating short phrases between English and three other languages, composed from words whose forms are known.
import type { Draw } from '../draw.js';
import type { Family } from '../family.js';
import type { Values } from '../values/index.js';
import { ask, type Task } from './asking/ask.js';
import { composePhrase } from './translation/compose.js';
import { LANGUAGES } from './translation/lexicon.js';
import * as wordings from './translation/wordings.js';

const FOREIGN = [
  ['french', 'French'],
  ['spanish', 'Spanish'],
  ['german', 'German'],
] as const;

function translateInto(draw: Draw, values: Values): Task {
  const [key, language] = draw.pick(FOREIGN);
  const next = () => {
    const phrase = composePhrase(draw, values);
    return { input: phrase.english, answer: phrase[key] };
  };
  return { instructions: wordings.INTO, messages: wordings.INTO_MESSAGES, slots: { language }, next };
}

function translateBack(draw: Draw, values: Values): Task {
  const [key, language] = draw.pick(FOREIGN);
  const next = () => {
    const phrase = composePhrase(draw, values);
    return { input: phrase[key], answer: phrase.english };
  };
  return { instructions: wordings.BACK, messages: wordings.BACK_MESSAGES, slots: { language }, next };
}

function nameLanguage(draw: Draw, values: Values): Task {
  const next = () => {
    for (;;) {
      const key = draw.pick(LANGUAGES);
      const input = composePhrase(draw, values)[key];
      if (isSentence(input)) return { input, answer: key[0]!.toUpperCase() + key.slice(1) };
    }
  };
  return { instructions: wordings.WHICH, messages: wordings.WHICH_MESSAGES, next };
}

/** The language of a few words is ambiguous. */
const isSentence = (text: string) => /[.?!]$/.test(text) && text.split(' ').length > 2;

export const translation: Family = {
  name: 'translation',
  weight: 2,
  score: 'exact',
  make(draw, values) {
    const kind = draw.integer(0, 19);
    const toTask = kind < 13 ? translateInto : kind < 19 ? translateBack : nameLanguage;
    return ask(draw, toTask(draw, values));
  },
};
