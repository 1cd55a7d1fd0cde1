// Small talk: greetings, feelings, weather and hobbies, and what people say about themselves and ask for later.
import type { Draw } from '../draw.js';
import type { Family, Turn } from '../family.js';
import { fill } from '../fill.js';
import { exchange, type Named, type Slots } from '../intent.js';
import { drawManners } from '../manners.js';
import { addTypingHabits, addTypos } from '../noise.js';
import type { Values } from '../values/index.js';
import { EVENTS, LIKES } from './small-talk/chats.js';
import { GREETINGS } from './small-talk/greetings.js';
import { MEMORIES, type Memory } from './small-talk/memories.js';
import { MOODS } from './small-talk/moods.js';
import * as words from './small-talk/words.js';

export const smallTalk: Family = {
  name: 'small-talk',
  weight: 1.5,
  score: 'tokens',
  make(draw, values) {
    const turns = drawManners(draw);
    if (draw.chance(0.45)) return [...turns, ...tellAndAsk(draw, values)];
    const count = draw.pick([1, 1, 2, 2, 3]);
    for (let i = 0; i < count; i++) turns.push(...chat(draw, values, i === 0));
    return turns;
  },
};

const TOPICS = [GREETINGS, GREETINGS, MOODS, LIKES, EVENTS];
/** None of these can be mistaken for something that the user said. */
const ASIDES = [GREETINGS, EVENTS];

const slots: Slots = {
  name: (_, values) => values.firstName(),
  person: (_, values) => values.firstName(),
  petName: (_, values) => values.firstName(),
  city: (_, values) => values.city(),
  hobby: draw => draw.value(words.HOBBIES),
  food: draw => draw.value(words.FOODS),
  job: draw => draw.value(words.JOBS),
  daytime: draw => draw.pick(['morning', 'afternoon', 'evening', 'day']),
  good: draw => draw.pick(words.GOOD_FEELINGS),
  bad: draw => draw.pick(words.BAD_FEELINGS),
  tired: draw => draw.pick(words.TIRED_FEELINGS),
  angry: draw => draw.pick(words.ANGRY_FEELINGS),
  sick: draw => draw.pick(words.SICK_FEELINGS),
  fair: draw => draw.pick(words.GOOD_WEATHER),
  rough: draw => draw.pick(words.BAD_WEATHER),
  day: draw => draw.pick(words.DAYS),
  colour: draw => draw.pick(words.COLOURS),
  pet: draw => draw.pick(words.PETS),
  contact: draw => draw.pick(words.CONTACTS),
  relative: draw => draw.pick(words.RELATIVES),
};

/** One remark and its reply. */
function chat(draw: Draw, values: Values, isFirst: boolean, topics = TOPICS): Turn[] {
  const { ask, answer, named } = exchange(draw, values, draw.pick(draw.pick(topics)), slots);
  return turnsOf(fill(isFirst ? addTypingHabits(draw, ask) : addTypos(draw, ask), named), answer);
}

/** The user says one or two things, perhaps changes the subject, and asks for one of them or something never said. */
function tellAndAsk(draw: Draw, values: Values): Turn[] {
  const [first, second, untold] = draw.sample(MEMORIES, 3) as [Memory, Memory, Memory];
  const told = draw.chance(0.5) ? [first, second] : [first];
  const { ask, answer, named } = tell(draw, values, told);
  const between = draw.chance(0.4) ? chat(draw, values, false, ASIDES) : [];
  const wanted = draw.chance(0.85) ? draw.pick(told) : untold;
  return [
    ...turnsOf(fill(addTypingHabits(draw, ask), named), answer),
    ...between,
    ...recall(draw, values, wanted, told.includes(wanted), named),
  ];
}

function tell(draw: Draw, values: Values, told: readonly Memory[]) {
  const parts = told.map(memory => exchange(draw, values, memory.told, slots));
  return {
    ask: parts.map(part => part.ask).join(' '),
    answer: parts.map(part => part.answer).join(' '),
    named: Object.assign({}, ...parts.map(part => part.named)) as Named,
  };
}

function recall(draw: Draw, values: Values, wanted: Memory, isKnown: boolean, named: Named): Turn[] {
  const { recalled, unknown } = wanted;
  const intent = isKnown ? recalled : { asks: recalled.asks, answers: [unknown] };
  const { ask, answer } = exchange(draw, values, intent, slots, named);
  return turnsOf(addTypos(draw, ask), answer);
}

function turnsOf(ask: string, answer: string): Turn[] {
  return [
    { role: 'user', content: ask },
    { role: 'assistant', content: answer },
  ];
}
