// Customers' English becomes the company's telegraphic German: fixed words in a fixed order, so there is one right
// answer.
import type { Draw, Values } from '../../corpus/index.js';
import type { DataSet, Exercise } from '../data-set.js';
import { createQuestionWriter, drawOrder } from '../question-writer.js';
import { GLOSSARY } from './glossary.js';
import { scoreWords } from './score-words.js';
import { CUSTOMERS, DAYS, ORDERS, PROBLEMS, REQUESTS } from './sentences.js';

export const translate: DataSet = {
  make: makeTelegram,
  scoreContent: (_, expected, answered) => scoreWords(expected, answered),
};

/** "Lampe defekt / ersetzen / bis Mo / Nr A-4821 / Kd Maria", with at most two of the last three parts. */
function makeTelegram(draw: Draw, values: Values): Exercise {
  const writer = createQuestionWriter(draw);
  const [thing, Ding] = pickWord(draw, GLOSSARY.thing);
  const [state, Zustand] = pickWord(draw, GLOSSARY.state);
  const [action, Tat] = pickWord(draw, GLOSSARY.action);
  const [day, Tag] = pickWord(draw, GLOSSARY.day);
  const order = drawOrder(values);
  const name = values.firstName();
  const details = draw.sample(['day', 'order', 'name'] as const, draw.integer(0, 2));
  const say = {
    day: () => writer.say(DAYS, { day }),
    order: () => writer.say(ORDERS, { order }),
    name: () => writer.say(CUSTOMERS, { name }),
  };
  const sentences = [writer.say(PROBLEMS, { thing, state }), writer.say(REQUESTS, { action })];
  sentences.push(...details.map(detail => say[detail]()));
  const notes = { day: `bis ${Tag}`, order: `Nr ${order}`, name: `Kd ${name}` };
  const kept = (['day', 'order', 'name'] as const).filter(detail => details.includes(detail));
  return {
    asked: sentences.join(' '),
    answer: [`${Ding} ${Zustand}`, Tat, ...kept.map(detail => notes[detail])].join(' / '),
    templates: writer.templates,
    values: [...(kept.includes('order') ? [order] : []), ...(kept.includes('name') ? [name] : [])],
  };
}

function pickWord(draw: Draw, words: Readonly<Record<string, string>>): [string, string] {
  return draw.pick(Object.entries(words));
}
