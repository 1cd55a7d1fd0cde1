// A small closed set of facts: opposites, word forms, the calendar, animals, units, groups. Each question has one
// answer.
import type { Draw } from '../draw.js';
import type { Family, Turn } from '../family.js';
import { fill } from '../fill.js';
import { drawManners } from '../manners.js';
import { addTypingHabits, addTypos } from '../noise.js';
import * as calendar from './facts/calendar.js';
import { capitals, countries } from './facts/capitals.js';
import { counts, parts } from './facts/counts.js';
import { askForFact, askForOneWord, askOpenly, type Question } from './facts/forms.js';
import { comparisons, pasts, plurals, singulars } from './facts/grammar.js';
import { groups } from './facts/groups.js';
import * as nature from './facts/nature.js';
import { opposites } from './facts/opposites.js';
import { oddOneOut, oneThatFits } from './facts/puzzles.js';
import type { Topic } from './facts/topic.js';

export const facts: Family = {
  name: 'facts',
  weight: 2,
  score: 'exact',
  make(draw) {
    const count = draw.pick([1, 1, 1, 1, 2, 3]);
    return [...drawManners(draw), ...Array.from({ length: count }, (_, i) => ask(draw, i === 0)).flat()];
  },
};

/** Topics with more facts come up more often. */
const TOPICS: readonly Topic[] = [
  ...[opposites, opposites, opposites, plurals, plurals, singulars, pasts, pasts, comparisons],
  ...[calendar.next, calendar.previous, calendar.tomorrow, calendar.yesterday],
  ...[calendar.monthNumbers, calendar.monthLengths, calendar.nextLetters, calendar.previousLetters],
  ...[nature.colours, nature.sounds, nature.homes, nature.young, nature.sources],
  ...[counts, counts, parts, groups, groups, groups, capitals, countries],
];

function ask(draw: Draw, isFirst: boolean): Turn[] {
  const { ask, named, answer } = drawQuestion(draw);
  return [
    { role: 'user', content: fill(isFirst ? addTypingHabits(draw, ask) : addTypos(draw, ask), named) },
    { role: 'assistant', content: answer },
  ];
}

function drawQuestion(draw: Draw): Question {
  if (draw.chance(0.05)) return askOpenly(draw, calendar.rows, draw.pick(calendar.rows.facts));
  if (draw.chance(0.8)) return askForFact(draw, draw.pick(TOPICS));
  const puzzle = draw.pick([oddOneOut, oneThatFits]);
  return draw.pick([askOpenly, askForOneWord])(draw, puzzle, puzzle.make(draw));
}
