// Animals, colours of things and what things are made from.
import { parsePairs, type Topic } from './topic.js';

export const colours: Topic = {
  asks: [
    'What colour is {thing}?',
    'Which colour is {thing}?',
    'What is the colour of {thing}?',
    'Tell me the colour of {thing}.',
    'Which colour does {thing} have?',
    'What colour does {thing} have?',
    'Name the colour of {thing}.',
    'Do you know the colour of {thing}?',
    'Say the colour of {thing}.',
    'I forgot the colour of {thing}. What is it?',
  ],
  sentence: 'The colour of {thing} is {right}.',
  facts: parsePairs(
    'grass: green, snow: white, coal: black, a lemon: yellow, blood: red, the clear sky by day: blue, ' +
      'a ripe banana: yellow, a carrot: orange, a ripe strawberry: red, milk: white, a ripe tomato: red, ' +
      'a ripe pumpkin: orange, a cucumber: green, spinach: green, soot: black, a polar bear: white, ' +
      'a flamingo: pink, a crow: black, a raven: black, milk chocolate: brown, table salt: white, ' +
      'broccoli: green, a ruby: red, an emerald: green, a lime: green, tar: black, ' +
      'a leaf in spring: green, a stop sign: red, an elephant: grey, a cloud on a sunny day: white, ' +
      'a night without light: black, parsley: green, moss: green, a ladybird between its dots: red',
  ),
};

export const sounds: Topic = {
  asks: [
    'What does the {thing} do to make a sound?',
    'Which sound does the {thing} make?',
    'What sound does the {thing} make?',
    'What is the sound of the {thing} called?',
    'How does the {thing} sound? Name the verb.',
    'Tell me the sound of the {thing}.',
    'Which verb goes with the sound of the {thing}?',
    'What do we say that the {thing} does when it calls?',
    'Name the sound of the {thing}.',
  ],
  sentence: 'The {thing} {right}.',
  facts: parsePairs(
    'cow: moos, dog: barks, cat: meows, sheep: bleats, goat: bleats, pig: oinks, horse: neighs, ' +
      'duck: quacks, lion: roars, tiger: roars, bee: buzzes, fly: buzzes, owl: hoots, frog: croaks, ' +
      'rooster: crows, crow: caws, mouse: squeaks, donkey: brays, turkey: gobbles, hen: clucks, ' +
      'pigeon: coos, elephant: trumpets',
  ),
};

export const homes: Topic = {
  asks: [
    'What is the home of the {thing} called?',
    'Where does the {thing} live? Name its home.',
    'What do you call the home of the {thing}?',
    'Which home does the {thing} have?',
    'What is the name for the home of the {thing}?',
    'Tell me the home of the {thing}.',
    'Name the home of the {thing}.',
    'Do you know the home of the {thing}?',
    'How is the home of the {thing} called?',
  ],
  sentence: 'The home of the {thing} is a {right}.',
  facts: parsePairs(
    'bee: hive, bird: nest, eagle: nest, spider: web, horse: stable, dog: kennel, rabbit: burrow, ' +
      'pig: sty, bear: den, lion: den, wolf: den, snail: shell, beaver: lodge',
  ),
};

export const young: Topic = {
  asks: [
    'What is a young {thing} called?',
    'What do you call a young {thing}?',
    'What is a baby {thing} called?',
    'How is a young {thing} called?',
    'Tell me the word for a young {thing}.',
    'What is the name for a baby {thing}?',
    'Which word means a young {thing}?',
    'Name the word for a baby {thing}.',
    'Do you know what a young {thing} is called?',
    'Give me the word for a young {thing}.',
  ],
  sentence: 'A young {thing} is called a {right}.',
  facts: parsePairs(
    'cat: kitten, dog: puppy, cow: calf, horse: foal, sheep: lamb, pig: piglet, duck: duckling, ' +
      'hen: chick, goat: kid, bear: cub, lion: cub, tiger: cub, goose: gosling, ' +
      'frog: tadpole, kangaroo: joey, swan: cygnet, elephant: calf, whale: calf, donkey: foal, ' +
      'zebra: foal, giraffe: calf, spider: spiderling',
  ),
};

export const sources: Topic = {
  asks: [
    'What is {thing} made from?',
    'What do you make {thing} from?',
    'From what is {thing} made?',
    'What do you need most to make {thing}?',
    'Tell me what {thing} is made from.',
    'Name what {thing} is made from.',
    'What goes into {thing} most of all?',
    'Do you know what {thing} is made from?',
    'What is the main thing in {thing}?',
  ],
  sentence: 'The main thing in {thing} is {right}.',
  facts: parsePairs(
    'bread: flour, butter: milk, cheese: milk, yogurt: milk, paper: wood, window glass: sand, ' +
      'wine: grapes, cider: apples, ketchup: tomatoes, popcorn: corn, tofu: soy beans, steel: iron, ' +
      'pottery: clay, an omelette: eggs, a candle: wax, a tyre: rubber, a brick: clay',
  ),
};
