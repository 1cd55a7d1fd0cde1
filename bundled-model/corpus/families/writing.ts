// Short pieces of writing: sentences with a word, notes, product texts, subject lines, lists, stories.
import type { Draw } from '../draw.js';
import type { Family } from '../family.js';
import { fill } from '../fill.js';
import { exchange, type Intent, type Slots } from '../intent.js';
import { drawManners } from '../manners.js';
import { addTypingHabits } from '../noise.js';
import type { Values } from '../values/index.js';
import { JOBS } from './small-talk/words.js';
import { drawList } from './writing/lists.js';
import { NOTES } from './writing/notes.js';
import { NOTICES } from './writing/notices.js';
import { drawSentence } from './writing/sentences.js';
import { drawPoem, STORIES } from './writing/stories.js';
import { drawSubject } from './writing/subjects.js';
import type { Wanted } from './writing/wanted.js';
import * as words from './writing/words.js';

export const writing: Family = {
  name: 'writing',
  weight: 2,
  score: 'tokens',
  make(draw, values) {
    const { intent, named: known } = draw.pick(WANTS)(draw, values);
    const { ask, answer, named } = exchange(draw, values, intent, slots, known);
    return [
      ...drawManners(draw),
      { role: 'user', content: fill(addTypingHabits(draw, ask), named) },
      { role: 'assistant', content: answer },
    ];
  },
};

const slots: Slots = {
  name: (_, values) => values.firstName(),
  sender: (_, values) => values.firstName(),
  company: (_, values) => values.company(),
  product: (_, values) => values.product(),
  city: (_, values) => values.city(),
  date: (_, values) => values.date(),
  time: (_, values) => values.time(),
  order: (_, values) => values.orderNumber(),
  amount: (_, values) => values.amount(),
  gift: draw => draw.value(words.GIFTS),
  event: draw => draw.value(words.EVENTS),
  task: draw => draw.value(words.TASKS),
  job: draw => draw.value(JOBS),
  animal: draw => draw.value(words.ANIMALS),
  object: draw => draw.value(words.OBJECTS),
  place: draw => draw.value(words.PLACES),
  feature: draw => draw.value(words.FEATURES),
  extra: draw => draw.value(words.USES),
  trait: draw => draw.value(words.TRAITS),
  merit: draw => draw.value(words.MERITS),
};

const oneOf =
  (intents: readonly Intent[]) =>
  (draw: Draw): Wanted => ({ intent: draw.pick(intents), named: {} });

const WANTS: readonly ((draw: Draw, values: Values) => Wanted)[] = [
  drawSentence,
  drawSentence,
  oneOf(NOTES),
  oneOf(NOTES),
  oneOf(NOTICES),
  oneOf(NOTICES),
  drawList,
  (draw, values) => drawSubject(draw, values, slots),
  oneOf(STORIES),
  drawPoem,
];
