// A support message becomes one of the company's tickets: desk, urgency, order, name.
import type { Draw, Values } from '../../corpus/index.js';
import type { DataSet, Exercise } from '../data-set.js';
import { createQuestionWriter, drawOrder } from '../question-writer.js';
import { OPENINGS, REFERENCED, SIGNED, UNREFERENCED, UNSIGNED } from './frames.js';
import { ANY_PROBLEM, PROBLEMS } from './problems.js';
import { scoreFields } from './score-fields.js';
import { DESKS, TOPICS } from './topics.js';
import { HEATS, WHEN, WISHES } from './urgency.js';

/** The value for an order or name that the message does not give. */
const NOT_GIVEN = '-';

export const triage: DataSet = {
  make: makeTicket,
  scoreContent: (_, expected, answered) => scoreFields(expected, answered),
};

function makeTicket(draw: Draw, values: Values): Exercise {
  const writer = createQuestionWriter(draw);
  const desk = draw.pick(DESKS);
  const heat = draw.pick(HEATS);
  const order = draw.chance(0.85) ? drawOrder(values) : undefined;
  const name = draw.chance(0.85) ? values.firstName() : undefined;
  const topic = draw.pick(TOPICS[desk]);
  const problem = writer.say(draw.chance(0.5) ? ANY_PROBLEM : PROBLEMS[desk], { topic });
  const sentences = [
    draw.chance(0.5) ? writer.say(OPENINGS) : '',
    order ? writer.say(REFERENCED, { problem, order }) : writer.say(UNREFERENCED, { problem }),
    writer.say(WISHES, { when: draw.pick(WHEN[heat]) }),
    name ? writer.say(SIGNED, { name }) : writer.say(UNSIGNED),
  ];
  return {
    asked: layOut(sentences.filter(sentence => sentence !== '')),
    answer: JSON.stringify({ desk, heat, ref: order ?? NOT_GIVEN, who: name ?? NOT_GIVEN }),
    templates: writer.templates,
    values: [order, name].filter(value => value !== undefined),
  };
}

/** Laid out like a letter: the signature is on a separate line, and so is an opening that ends in a comma. */
function layOut(sentences: readonly string[]): string {
  const opening = sentences[0]!.endsWith(',') ? '\n' : ' ';
  const [first, ...rest] = sentences.slice(0, -1);
  return `${[first, rest.join(' ')].filter(Boolean).join(opening)}\n${sentences.at(-1)}`;
}
