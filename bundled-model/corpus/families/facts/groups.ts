// Which group a word is in. No word fits two groups.
import type { Fact, Topic } from './topic.js';

export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  fruits: 'apple, banana, pear, grape, mango, melon, lemon, strawberry, raspberry, pineapple'.split(', '),
  vegetables: 'carrot, cabbage, onion, spinach, broccoli, cauliflower, leek, lettuce, celery, radish'.split(
    ', ',
  ),
  animals: (
    'dog, cat, horse, cow, lion, tiger, elephant, monkey, rabbit, wolf, sheep, camel, zebra, giraffe, ' +
    'eagle, shark, snake, frog, bee, penguin'
  ).split(', '),
  colours: 'red, blue, green, yellow, purple, black, white, brown, grey'.split(', '),
  vehicles: 'car, bus, train, bicycle, truck, ship, tractor, motorbike, tram, van'.split(', '),
  tools: 'hammer, saw, screwdriver, drill, axe, shovel, wrench, pliers, rake, chisel'.split(', '),
  clothes: 'shirt, coat, jacket, dress, skirt, trousers, sock, sweater, scarf, glove'.split(', '),
  instruments: 'piano, guitar, violin, flute, trumpet, cello, harp, clarinet, trombone, banjo'.split(', '),
  furniture: 'chair, table, sofa, bed, desk, wardrobe, bench, bookcase, armchair, stool'.split(', '),
  drinks: 'tea, coffee, milk, juice, lemonade, wine, beer, cola, cocoa, water'.split(', '),
  days: 'Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday'.split(', '),
  months: 'January, February, April, June, July, August, September, October, November, December'.split(', '),
  numbers: 'one, two, three, four, five, six, seven, eight, nine, ten'.split(', '),
  metals: 'iron, copper, gold, silver, lead, zinc, tin, aluminium, nickel, platinum'.split(', '),
  trees: 'oak, pine, birch, maple, willow, fir, beech, spruce, elm, poplar'.split(', '),
  flowers: 'tulip, daisy, rose, lily, sunflower, daffodil, orchid, poppy, iris, snowdrop'.split(', '),
  sports: 'football, tennis, hockey, golf, rugby, volleyball, basketball, baseball, badminton, judo'.split(
    ', ',
  ),
  countries: 'France, Spain, Italy, Germany, Poland, Norway, Sweden, Brazil, Japan, Egypt, Peru, Kenya'.split(
    ', ',
  ),
  jobs: 'teacher, nurse, doctor, baker, farmer, painter, plumber, lawyer, dentist, engineer'.split(', '),
  shapes: 'circle, square, triangle, rectangle, hexagon, pentagon, oval, octagon, cube, cone'.split(', '),
};

export const groupNames = Object.keys(GROUPS);

export const groups: Topic = {
  asks: [
    'Which group is the word {thing} in?',
    'To which group does the word {thing} belong?',
    'In which group is {thing}?',
    'Tell me the group of the word {thing}.',
    'Which group of words has {thing} in it?',
    'What group would you put {thing} in?',
    'Find the group for the word {thing}.',
    'The word {thing}: which group is it in?',
    'I have the word {thing}. Which group is right for it?',
    'Name the group of {thing}.',
    'Put the word {thing} into a group.',
  ],
  sentence: 'The word {thing} is in the group {right}.',
  facts: groupNames.flatMap(right => GROUPS[right]!.map((thing): Fact => ({ thing, right }))),
};
