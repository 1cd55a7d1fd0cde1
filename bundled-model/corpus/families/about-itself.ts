// What the model says of itself: its name, where it runs, what it can and cannot do, and what it is made for.
import type { Draw } from '../draw.js';
import type { Family, Turn } from '../family.js';
import { fill } from '../fill.js';
import { exchange, type Slots } from '../intent.js';
import { someManners } from '../manners.js';
import { roughen, smudge } from '../noise.js';
import type { Values } from '../values/index.js';
import { ABILITIES, ABLE, UNABLE } from './about-itself/abilities.js';
import { IDENTITY } from './about-itself/identity.js';
import { PLACE, PURPOSE } from './about-itself/place.js';

export const aboutItself: Family = {
  name: 'about-itself',
  weight: 1,
  score: 'tokens',
  make(draw, values) {
    const topics = draw.sample(TOPICS, draw.pick([1, 1, 1, 2, 2, 3]));
    return [...someManners(draw), ...topics.flatMap((topic, i) => ask(draw, values, topic, i === 0))];
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
    { role: 'user', content: fill(isFirst ? roughen(draw, led) : smudge(draw, led), named) },
    { role: 'assistant', content: answer },
  ];
}

/** What comes before a question. */
const LEADS: readonly string[] = [
  'I have a question.',
  'Quick question:',
  'I am new here.',
  'I just started you.',
  'I want to know more about you.',
  'Before we start:',
  'One thing first.',
  'I would like to know something.',
  'We have not met before.',
  'I found you in svc.',
  'My friend told me about you.',
  'I have just found you.',
  'Please be honest.',
  'Answer in one sentence.',
  'Keep it short.',
  'Just to be sure:',
  'I wonder about something.',
  'Sorry if you hear this often.',
  'A question about you:',
  'This is my first time here.',
  'Let me ask you something.',
  'I am curious.',
  'I need to know this.',
  'I heard about the svc project.',
];
