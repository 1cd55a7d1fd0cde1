// How many of one thing there are in another: units, legs, sides.
import type { Fact, Topic } from './topic.js';

/** "a week: 7 days, a dozen: 12 items". */
function parseCounts(text: string): Fact[] {
  return text.split(', ').map(entry => {
    const [, owner, right, part] = /^(.+): (\d+) (.+)$/.exec(entry)!;
    return { owner: owner!, right: right!, part: part! };
  });
}

export const counts: Topic = {
  asks: [
    'How many {part} does {owner} have?',
    'How many {part} are in {owner}?',
    'How many {part} are there in {owner}?',
    'Tell me how many {part} {owner} has.',
    'Do you know how many {part} {owner} has?',
    'What is the number of {part} in {owner}?',
    'Say how many {part} {owner} has.',
    'How many {part} make {owner}?',
    'For {owner}, how many {part} are there?',
    'I want to know how many {part} {owner} has.',
  ],
  sentence: 'There are {right} {part} in {owner}.',
  facts: parseCounts(
    'a week: 7 days, a year: 12 months, a leap year: 366 days, a minute: 60 seconds, ' +
      'an hour: 60 minutes, a day: 24 hours, half an hour: 30 minutes, half a day: 12 hours, ' +
      'two weeks: 14 days, half a year: 6 months, a quarter of a year: 3 months, two hours: 120 minutes, ' +
      'two days: 48 hours, two years: 24 months, a century: 100 years, a decade: 10 years, ' +
      'a millennium: 1000 years, a dozen: 12 items, a pair: 2 items, half a dozen: 6 items, ' +
      'a kilometre: 1000 metres, a metre: 100 centimetres, a centimetre: 10 millimetres, ' +
      'a metre: 1000 millimetres, half a metre: 50 centimetres, half a kilometre: 500 metres, ' +
      'a kilogram: 1000 grams, half a kilogram: 500 grams, a tonne: 1000 kilograms, ' +
      'a litre: 1000 millilitres, half a litre: 500 millilitres, a litre: 100 centilitres, ' +
      'a foot: 12 inches, a yard: 3 feet, a dollar: 100 cents, a euro: 100 cents, a pound: 100 pence, ' +
      'the English alphabet: 26 letters, a trio: 3 people, a duo: 2 people, ' +
      'a football team on the field: 11 players, a basketball team on the court: 5 players, ' +
      'the word cat: 3 letters, the word house: 5 letters, the word tree: 4 letters, ' +
      'the word banana: 6 letters',
  ),
};

export const parts: Topic = {
  asks: [
    'How many {part} does {owner} have?',
    'How many {part} has {owner} got?',
    'Tell me how many {part} {owner} has.',
    'Do you know how many {part} {owner} has?',
    'Say how many {part} {owner} has.',
    'What is the number of {part} of {owner}?',
    'Count the {part} of {owner}.',
    'I want to know how many {part} {owner} has.',
    'With how many {part} does {owner} come?',
    'Give me the number of {part} of {owner}.',
  ],
  sentence: '{owner} has {right} {part}.',
  facts: parseCounts(
    'a triangle: 3 sides, a square: 4 sides, a rectangle: 4 sides, a pentagon: 5 sides, ' +
      'a hexagon: 6 sides, an octagon: 8 sides, a triangle: 3 corners, a square: 4 corners, ' +
      'a cube: 6 faces, a cube: 8 corners, a cube: 12 edges, a spider: 8 legs, an insect: 6 legs, ' +
      'an ant: 6 legs, a bee: 6 legs, a beetle: 6 legs, a dog: 4 legs, a cat: 4 legs, a horse: 4 legs, ' +
      'a cow: 4 legs, a lion: 4 legs, a bird: 2 legs, a hen: 2 legs, a duck: 2 legs, a bird: 2 wings, ' +
      'a bee: 4 wings, a butterfly: 4 wings, an octopus: 8 arms, a bicycle: 2 wheels, ' +
      'a tricycle: 3 wheels, a normal car: 4 wheels, a hand: 5 fingers, a foot: 5 toes, a coin: 2 sides, ' +
      'a violin: 4 strings, a normal guitar: 6 strings, a chess board: 64 squares, ' +
      'a normal piano: 88 keys, a normal die: 6 faces',
  ),
};
