// What the model says about itself: its name, where it runs, what it can and cannot do, and what it is for.
import type { Draw } from '../draw.js';
import type { Family, Turn } from '../family.js';
import { fill } from '../fill.js';
import { exchange, type Slots } from '../intent.js';
import { drawManners } from '../manners.js';
import { addTypingHabits, addTypos } from '../noise.js';
import { readTexts } from '../texts.js';
import type { Values } from '../values/index.js';
import { ABILITIES, ABLE, UNABLE } from './about-itself/abilities.js';
import { IDENTITY } from './about-itself/identity.js';
import { PLACE, PURPOSE } from './about-itself/place.js';
import data from './about-itself.json' with { type: 'json' };

const {
  /** What comes before a question. */
  LEADS,
} = readTexts(data);

export const aboutItself: Family = {
  name: 'about-itself',
  weight: 1,
  score: 'tokens',
  make(draw, values) {
    const topics = draw.sample(TOPICS, draw.pick([1, 1, 1, 2, 2, 3]));
    return [...drawManners(draw), ...topics.flatMap((topic, i) => ask(draw, values, topic, i === 0))];
  },
};

const TOPICS = [IDENTITY, ABILITIES, PLACE, PURPOSE];

const slots: Slots = {
  person: (_, values) => values.firstName(),
  company: (_, values) => values.company(),
  city: (_, values) => values.city(),
  date: (_, values) => values.date(),
  able: draw => draw.pick(ABLE),
  unable: draw => draw.pick(UNABLE),
};

function ask(draw: Draw, values: Values, topic: (typeof TOPICS)[number], isFirst: boolean): Turn[] {
  const { ask, answer, named } = exchange(draw, values, draw.pick(topic), slots);
  const led = isFirst && draw.chance(0.35) ? `${draw.wording(LEADS)} ${ask}` : ask;
  return [
    { role: 'user', content: fill(isFirst ? addTypingHabits(draw, led) : addTypos(draw, led), named) },
    { role: 'assistant', content: answer },
  ];
}
