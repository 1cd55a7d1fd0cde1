// Customer support: short polite answers that repeat the order, product or name in the question and follow the rules in
// the system prompt.
import type { Draw } from '../draw.js';
import type { Family, Turn } from '../family.js';
import { fill } from '../fill.js';
import { type Exchange, exchange, type Intent, nameAll, type Slots } from '../intent.js';
import { addTypingHabits, addTypos } from '../noise.js';
import type { Values } from '../values/index.js';
import { ACCOUNTS } from './support/accounts.js';
import { ORDERS } from './support/orders.js';
import { PAYMENTS } from './support/payments.js';
import { givesNumber, hello, LEADS, TAILS, thanks, whoAnswers } from './support/phrases.js';
import { PRODUCTS, SERVICE } from './support/products.js';
import { drawSetting, RULES, type Setting } from './support/setting.js';

export const support: Family = {
  name: 'support',
  weight: 2,
  score: 'tokens',
  make(draw, values) {
    const setting = drawSetting(draw, values);
    const first = exchange(draw, values, drawIntent(draw, setting), slots, setting.named);
    return [
      ...systemTurn(setting),
      ...frame(draw, values, first),
      ...(draw.chance(0.4) ? goOn(draw, values, setting, first) : []),
    ];
  },
};

const TOPICS = [ORDERS, ORDERS, PAYMENTS, PAYMENTS, ACCOUNTS, PRODUCTS, SERVICE];

const slots: Slots = {
  order: (_, values) => values.orderNumber(),
  product: (_, values) => values.product(),
  date: (_, values) => values.date(),
  amount: (_, values) => values.amount(),
  code: (_, values) => values.code(),
  email: (_, values) => values.email(),
  phone: (_, values) => values.phone(),
  street: (_, values) => values.street(),
  city: (_, values) => values.city(),
  name: (_, values) => values.firstName(),
  fullName: (_, values) => values.fullName(),
};

/** If there are rules, usually about one of them, sometimes about one that is not stated. */
function drawIntent(draw: Draw, { rules, named }: Setting): Intent {
  if (named.company && draw.chance(0.06)) return draw.pick([hello, whoAnswers]);
  if (draw.chance(0.1)) {
    const { asks, unknown } = draw.pick(RULES.filter(rule => !rules.includes(rule)));
    return { asks, answers: [unknown] };
  }
  if (rules.length > 0 && draw.chance(0.65)) return draw.pick(rules);
  return draw.pick(draw.pick(TOPICS));
}

function systemTurn({ prompt }: Setting): Turn[] {
  return prompt ? [{ role: 'system', content: prompt }] : [];
}

/** The question with what comes before and after it. The answer greets users who give their name. */
function frame(draw: Draw, values: Values, { ask, answer, named: known }: Exchange): Turn[] {
  const lead = draw.chance(0.35) ? draw.wording(LEADS) : '';
  const tail = !lead && draw.chance(0.3) ? draw.wording(TAILS) : '';
  const named = nameAll(lead + tail, draw, values, slots, known);
  const question = addTypingHabits(draw, [lead, ask].filter(Boolean).join(' '));
  const text = fill([question, tail].filter(Boolean).join(' '), named);
  return turnsOf(text, named.name ? `Hello ${named.name}. ${answer}` : answer);
}

/** The number that support asked for, thanks, or another question. */
function goOn(draw: Draw, values: Values, setting: Setting, { answer }: Exchange): Turn[] {
  const next = answer.includes('send me your order number')
    ? givesNumber
    : draw.pick([thanks, thanks, drawIntent(draw, setting)]);
  const { ask, answer: reply, named } = exchange(draw, values, next, slots, setting.named);
  return turnsOf(fill(addTypos(draw, ask), named), reply);
}

function turnsOf(ask: string, answer: string): Turn[] {
  return [
    { role: 'user', content: ask },
    { role: 'assistant', content: answer },
  ];
}
