// Questions about freshly drawn groups of words: which word fits, and which does not.
import type { Draw } from '../../draw.js';
import { GROUPS, groupNames } from './groups.js';
import type { Fact } from './topic.js';

interface Puzzle {
  asks: readonly string[];
  sentence: string;
  make(draw: Draw): Fact;
}

/** Groups in the same set share possible words: a rose is also a color. */
const ALIKE = [
  'fruits, vegetables, trees, flowers, colours, metals, drinks'.split(', '),
  'days, months, numbers'.split(', '),
];

const isApart = (one: string, other: string) =>
  one !== other && !ALIKE.some(set => set.includes(one) && set.includes(other));

export const oddOneOut: Puzzle = {
  asks: [
    'Which word does not fit: {list}?',
    'Which of these does not fit: {list}?',
    'Find the word that does not fit: {list}.',
    'One word does not fit here: {list}. Which one?',
    'What does not belong with the others: {list}?',
    'Which one is not like the others: {list}?',
    'Tell me the odd word: {list}.',
    'Here are some words: {list}. Which does not fit?',
    'Which word is in another group: {list}?',
    'Look at these words: {list}. One is wrong here. Which?',
    'Pick the word that does not belong: {list}.',
  ],
  sentence: 'The word {right} does not fit.',
  make(draw) {
    const group = draw.pick(groupNames);
    const other = draw.pick(groupNames.filter(name => isApart(name, group)));
    const right = draw.pick(GROUPS[other]!);
    const rest = draw.sample(GROUPS[group]!, draw.integer(2, 4));
    return { right, list: draw.shuffle([right, ...rest]).join(', ') };
  },
};

export const oneThatFits: Puzzle = {
  asks: [
    'Which of these words is in the group {group}: {list}?',
    'Which word is in the group {group}: {list}?',
    'Find the word of the group {group}: {list}.',
    'From the group {group}, which word is here: {list}?',
    'Here are some words: {list}. Which one is in the group {group}?',
    'Only one of these is in the group {group}: {list}. Which?',
    'Pick the word that belongs to the group {group}: {list}.',
    'Look at these words: {list}. Which belongs to the group {group}?',
    'The group is {group}. The words are {list}. Which word fits?',
    'Tell me which word fits the group {group}: {list}.',
  ],
  sentence: 'The word {right} is in the group {group}.',
  make(draw) {
    const group = draw.pick(groupNames);
    const others = draw.sample(
      groupNames.filter(name => isApart(name, group)),
      draw.integer(1, 4),
    );
    const right = draw.pick(GROUPS[group]!);
    const words = [right, ...others.map(name => draw.pick(GROUPS[name]!))];
    return { right, group, list: draw.shuffle(words).join(', ') };
  },
};
