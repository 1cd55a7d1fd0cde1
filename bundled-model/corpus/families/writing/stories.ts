// Very short stories, titles and poems of two lines.
import type { Draw } from '../../draw.js';
import type { Intent } from '../../intent.js';
import type { Wanted } from './wanted.js';

const story: Intent = {
  asks: [
    'Write a short story about {name} the {animal}.',
    'Tell me a story about {name} the {animal}.',
    'Write a story about {name} the {animal} at the {place}.',
    'Make up a short story about {name} the {animal}.',
    'I want a story about {name} the {animal} and the {object}.',
    'Write two or three sentences about {name} the {animal}.',
    'Can you tell a story about {name} the {animal} near the {place}?',
    'Write a tiny story with {name} the {animal} and the {object}.',
    'Tell my child a story about {name} the {animal}.',
    'Write a bedtime story about {name} the {animal}.',
    'Give me a short story: {name} the {animal}, the {place}.',
    'Write a little tale about {name} the {animal}, who found the {object}.',
    'My child loves stories. Tell one about {name} the {animal}.',
  ],
  answers: [
    'Once upon a time there lived {name} the {animal}. One day {name} found a friend, and they were happy.',
    'Once upon a time {name} the {animal} lived near the {place}. There {name} found a friend and was happy.',
    'One day {name} the {animal} found the {object}. {name} gave it back, and made a new friend.',
  ],
};

const title: Intent = {
  asks: [
    'Give me a title for a story about {name} the {animal}.',
    'I need a title for a story about {name} the {animal}.',
    'What is a good title for a book about {name} the {animal}?',
    'Find a title for my story about {name} the {animal}.',
    'My story is about {name} the {animal}. What is a good title?',
    'Write a title for a tale about {name} and the {object}.',
    'How should I call a book about {name} and the {object}?',
    'Suggest a title for a story about {name} and the {object}.',
    'My book is about {name} in {city}. Give me a title.',
    'Give me a title for a book about {name} in {city}.',
    'Find a title for a film about {name} in {city}.',
  ],
  answers: ['The Story of {name} the {animal}', '{name} and the {object}', '{name} in {city}'],
};

const POEM_ASKS: readonly string[] = [
  'Write a short poem about {theme}.',
  'Write a poem about {theme}.',
  'Can you write a poem about {theme}?',
  'I need a short poem about {theme}.',
  'Give me two lines about {theme} that rhyme.',
  'Write two lines about {theme} with a rhyme.',
  'Make a rhyme about {theme}.',
  'A short poem about {theme}, please.',
  'Tell me a little poem about {theme}.',
  'Make up a small poem about {theme}.',
  'Write a rhyme about {theme} for a card.',
  'I would like a poem about {theme}.',
  'Write me something about {theme} that rhymes.',
  'Do you know a poem about {theme}?',
];

const POEMS: Readonly<Record<string, string>> = {
  rain: 'The rain is falling on the street\nand plays a song around my feet.',
  'the sun': 'The sun comes up, the sky is bright,\nand every window fills with light.',
  snow: 'The snow comes down without a sound\nand puts a blanket on the ground.',
  'the moon': 'The moon looks in and sees me dream,\nmy wall is white with its soft beam.',
  'a cat': 'My little cat lies in the sun\nand thinks that all her work is done.',
  'a dog': 'My dog runs fast, my dog runs far\nand barks at every passing car.',
  'the sea': 'The sea is wide, the sea is blue,\nand every wave brings something new.',
  spring: 'The spring is here, the birds all sing,\nand green returns to everything.',
  summer: 'The summer days are long and warm,\nwe hear the bees, we walk the farm.',
  autumn: 'The leaves turn red, the leaves turn gold,\nthe days grow short, the nights grow cold.',
  winter: 'The winter wind is cold and strong,\nso tea is hot and nights are long.',
  friendship: 'A friend is there in sun and rain\nand makes you laugh and smile again.',
  home: 'I close the door, I light the lamp,\nand leave outside the cold and damp.',
  tea: 'A cup of tea, a quiet chair,\nand all my thoughts are light as air.',
  'a tree': 'The tree stands tall in wind and rain\nand every spring grows green again.',
  'a train': 'The train goes by with lights aglow,\nit takes me where I want to go.',
  'the stars': 'The stars are small, the stars are far,\nI give a name to every star.',
  'a book': 'I open up a book and read,\na quiet hour is all I need.',
  'a bird': 'A little bird sat in a tree\nand sang its morning song to me.',
  'the river': 'The river runs, it does not stay,\nit says hello and goes away.',
  'the morning': 'The night is gone, the day is new,\nthe grass is wet with morning dew.',
  'a garden': 'In our small garden roses grow,\nall red and yellow, row by row.',
  bread: 'The bread is warm, the crust is brown,\nthe best you get in all the town.',
  music: 'A little tune, a simple beat,\nand soon it moves my hands and feet.',
};

export const STORIES: readonly Intent[] = [story, title];

export function drawPoem(draw: Draw): Wanted {
  const theme = draw.pick(Object.keys(POEMS));
  return { intent: { asks: POEM_ASKS, answers: [POEMS[theme]!] }, named: { theme } };
}
