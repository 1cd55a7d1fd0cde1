// The system prompt of a support desk: the company, and perhaps some of its rules.
import type { Draw } from '../../draw.js';
import { fill } from '../../fill.js';
import { type Named, nameAll, type Slots } from '../../intent.js';
import type { Values } from '../../values/index.js';
import { CONTACTS } from './contacts.js';
import { DESKS, MANNERS } from './phrases.js';
import { type Rule, TERMS } from './rules.js';

export const RULES: readonly Rule[] = [...TERMS, ...CONTACTS];

export interface Setting {
  /** Empty if there is no system prompt. */
  prompt: string;
  /** The rules that it states. */
  rules: readonly Rule[];
  /** The company, and what the rules say. */
  named: Named;
}

const NO_SETTING: Setting = { prompt: '', rules: [], named: {} };

export function drawSetting(draw: Draw, values: Values): Setting {
  if (draw.chance(0.3)) return NO_SETTING;
  const rules = draw.sample(RULES, draw.pick([0, 0, 1, 1, 2, 2, 3, 4]));
  const sentences = [draw.wording(DESKS), ...rules.map(({ states }) => draw.wording(states))];
  if (draw.chance(0.3)) sentences.push(draw.wording(MANNERS));
  const template = sentences.join(' ');
  const named = nameAll(template, draw, values, SETTING_SLOTS);
  return { prompt: fill(template, named), rules, named };
}

const SETTING_SLOTS: Slots = {
  company: (_, values) => values.company(),
  refundTime: draw => draw.value(() => days(draw)),
  returnTime: draw => draw.value(() => days(draw)),
  deliveryTime: draw => draw.value(() => (draw.chance(0.6) ? range(draw) : days(draw))),
  shippingCost: draw => draw.value(() => price(draw, 1, 15)),
  price: draw => draw.value(() => price(draw, 3, 90)),
  warranty: draw => draw.value(() => years(draw)),
  notice: draw => draw.value(() => days(draw)),
  trial: draw => draw.value(() => days(draw)),
  hours: draw => draw.value(() => openingHours(draw)),
  hotline: (_, values) => values.phone(),
  supportEmail: (_, values) => values.email(),
  shopStreet: (_, values) => values.street(),
  shopCity: (_, values) => values.city(),
  methods: draw => draw.value(() => waysToPay(draw)),
  manager: (_, values) => values.fullName(),
};

/** "14 days", "6 weeks", "10 working days". */
function days(draw: Draw): string {
  const unit = draw.pick(['days', 'days', 'weeks', 'working days', 'business days']);
  return `${draw.integer(2, unit === 'weeks' ? 12 : 60)} ${unit}`;
}

/** "2 to 4 days". */
function range(draw: Draw): string {
  const from = draw.integer(1, 10);
  return `${from} to ${from + draw.integer(1, 5)} ${draw.pick(['days', 'working days', 'weeks'])}`;
}

/** "18 months", "3 years". */
function years(draw: Draw): string {
  return draw.chance(0.5) ? `${draw.integer(2, 15)} years` : `${draw.integer(2, 60)} months`;
}

/** "$4.50", "12 euros". */
function price(draw: Draw, low: number, high: number): string {
  const whole = draw.integer(low, high);
  const part = draw.pick(['00', '50', '90', '95', '99', '25', '75']);
  return draw.pick([`$${whole}.${part}`, `€${whole}.${part}`, `${whole + 1} euros`, `${whole + 1} dollars`]);
}

/** "from 9 am to 5 pm, Monday to Friday". */
function openingHours(draw: Draw): string {
  const opens = draw.integer(6, 11);
  const closes = draw.integer(3, 10);
  const last = draw.pick(['Thursday', 'Friday', 'Saturday', 'Sunday']);
  const hours = draw.chance(0.7) ? `${opens} am to ${closes} pm` : `${opens}:30 to ${closes + 12}:00`;
  return draw.chance(0.7) ? `from ${hours}, Monday to ${last}` : `every day from ${hours}`;
}

const WAYS = ['card', 'credit card', 'debit card', 'bank transfer', 'cash', 'invoice', 'gift card', 'cheque'];

/** "card, cash or invoice". */
function waysToPay(draw: Draw): string {
  const ways = draw.sample(WAYS, draw.integer(2, 4));
  return `${ways.slice(0, -1).join(', ')} or ${ways.at(-1)}`;
}
