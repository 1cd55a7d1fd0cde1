// Subject lines for emails.
import type { Draw } from '../../draw.js';
import { fill } from '../../fill.js';
import { nameAll, type Slots } from '../../intent.js';
import { readTexts } from '../../texts.js';
import type { Values } from '../../values/index.js';
import data from './subjects.json' with { type: 'json' };
import type { Wanted } from './wanted.js';

const { SUBJECT } = readTexts(data);

/** What the email is about, and its subject. */
const MATTERS: readonly (readonly [about: string, subject: string])[] = [
  ['a meeting on {date}', 'Meeting on {date}'],
  ['a meeting at {time}', 'Meeting at {time}'],
  ['the meeting with {name}', 'Meeting with {name}'],
  ['order {order}', 'Order {order}'],
  ['the late order {order}', 'Late order {order}'],
  ['the return of order {order}', 'Return of order {order}'],
  ['a question about the {product}', 'Question about the {product}'],
  ['a problem with the {product}', 'Problem with the {product}'],
  ['the price of the {product}', 'Price of the {product}'],
  ['our new {product}', 'New: the {product}'],
  ['an invoice over {amount}', 'Invoice over {amount}'],
  ['a payment of {amount}', 'Payment of {amount}'],
  ['a visit to {city}', 'Visit to {city}'],
  ['a trip to {city} on {date}', 'Trip to {city} on {date}'],
  ['a new shop in {city}', 'New shop in {city}'],
  ['my holiday until {date}', 'Holiday until {date}'],
  ['the birthday of {name}', 'Birthday of {name}'],
  ['a letter from {name}', 'Letter from {name}'],
  ['an offer from {company}', 'Offer from {company}'],
  ['a contract with {company}', 'Contract with {company}'],
  ['a job at {company}', 'Job at {company}'],
  ['a complaint about {company}', 'Complaint about {company}'],
  ['an invitation to {event}', 'Invitation to {event}'],
  ['thanks for {gift}', 'Thank you for {gift}'],
];

export function drawSubject(draw: Draw, values: Values, slots: Slots): Wanted {
  const [about, subject] = draw.pick(MATTERS);
  const named = nameAll(about, draw, values, slots);
  return { intent: SUBJECT, named: { about: fill(about, named), subject: fill(subject, named) } };
}
