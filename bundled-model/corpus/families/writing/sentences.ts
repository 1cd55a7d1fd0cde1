// A sentence with one or two given words. The kind of word decides what it says.
import type { Draw } from '../../draw.js';
import { readTexts } from '../../texts.js';
import data from './sentences.json' with { type: 'json' };
import type { Wanted } from './wanted.js';
import * as words from './words.js';

const { ONE_WORD, TWO_WORDS, QUESTION } = readTexts(data);

interface Kind {
  words: readonly string[];
  alone: readonly string[];
  withPlace: readonly string[];
  asked: readonly string[];
}

const KINDS: readonly Kind[] = [
  {
    words: words.ANIMALS,
    alone: [
      'The {word} sleeps in the sun.',
      'The {word} is looking for food.',
      'I saw the {word} this morning.',
    ],
    withPlace: ['I saw the {word} near the {place}.', 'The {word} ran to the {place}.'],
    asked: ['Where does the {word} sleep?', 'Did you see the {word}?'],
  },
  {
    words: words.OBJECTS,
    alone: ['The {word} is on the table.', 'I cannot find my {word}.', 'She gave me the {word} yesterday.'],
    withPlace: ['I left my {word} at the {place}.', 'We found the {word} near the {place}.'],
    asked: ['Where is my {word}?', 'Is this your {word}?'],
  },
  {
    words: words.PLACES,
    alone: [
      'We met at the {word} on Sunday.',
      'The {word} is not far from here.',
      'She walked to the {word}.',
    ],
    withPlace: ['We went from the {word} to the {place}.', 'The {word} is next to the {place}.'],
    asked: ['Where is the {word}?', 'How do I get to the {word}?'],
  },
  {
    words: words.ACTIONS,
    alone: [
      'I like to {word} in the evening.',
      'They often {word} together.',
      'On Sunday we want to {word}.',
    ],
    withPlace: ['They {word} at the {place}.', 'I want to {word} at the {place}.'],
    asked: ['Do you want to {word}?', 'When do they {word}?'],
  },
  {
    words: words.QUALITIES,
    alone: ['The house looks {word}.', 'Everything here is so {word}.', 'What I saw there was {word}.'],
    withPlace: ['The {place} looks {word}.', 'I think that the {place} is {word}.'],
    asked: ['Why is it so {word}?', 'Is the house {word}?'],
  },
  {
    words: words.PEOPLE,
    alone: [
      'The {word} starts to work at eight.',
      'My sister is a good {word}.',
      'We asked the {word} for help.',
    ],
    withPlace: ['The {word} works near the {place}.', 'We met the {word} at the {place}.'],
    asked: ['Where does the {word} work?', 'Do you know the {word}?'],
  },
];

export function drawSentence(draw: Draw): Wanted {
  const kind = draw.pick(KINDS);
  const word = draw.value(kind.words);
  if (draw.chance(0.2)) return { intent: { asks: QUESTION, answers: kind.asked }, named: { word } };
  if (draw.chance(0.65)) return { intent: { asks: ONE_WORD, answers: kind.alone }, named: { word } };
  const place = draw.value(() => draw.pick(words.PLACES.filter(other => other !== word)));
  return { intent: { asks: TWO_WORDS, answers: kind.withPlace }, named: { word, place } };
}
