// Filling in a form: the user gives a text with places in it and what goes there.
import type { Draw } from '../../draw.js';
import { fill } from '../../fill.js';
import type { Values } from '../../values/index.js';
import type { Case, Task } from '../asking/ask.js';
import { SLOTS } from '../asking/content.js';

const FILL = [
  'Fill in the template.',
  'Fill in the values.',
  'Put the values into the template.',
  'Complete the text with the values.',
  'Use the values to fill the gaps.',
  'Replace each placeholder by its value.',
  'Write the finished text.',
  'Insert the values and return the text.',
  'Write the message with the values in it.',
  'Complete the template.',
  'Put the given values in their places.',
];

/** What people keep as templates: the places are named as a person would name them. */
const FORMS = [
  'Dear {name}, your order {order} is ready.',
  'Dear {name}, thank you for your message about {product}.',
  'Hello {name}, your code is {code}.',
  'Hi {name}, we meet on {date} at {time}.',
  'Hello {name}, {product} costs {amount}.',
  'Dear {name}, your table in {city} is booked for {date}.',
  'Order {order} goes to {street} in {city}.',
  '{name} from {company} called at {time}.',
  'Please send {amount} to {company} before {date}.',
  'Welcome to {company}, {name}!',
  'Ticket {order}: {name} asks about {product}.',
  'Your password hint is {word}. Your code is {code}.',
  'Dear {name}, we sent {product} to {street} today.',
  'Room {word} is free on {date}.',
  'Thank you, {name}. We got {amount} from you.',
  'The train to {city} leaves at {time}.',
  'Hello, this is {company}. Please call us at {phone}.',
  '{name} lives in {city} and works for {company}.',
  'Invoice {order} over {amount} is due on {date}.',
  'Dear {name}, the {noun} is here. Best wishes, {company}',
  'Meet me near the {noun} in {city} at {time}.',
  'Call {name} at {phone} about the {noun}.',
  'Reminder: {noun} on {date}, {time}.',
  'Your new {noun} has the number {order}.',
];

const OPENERS: readonly (readonly [string, string])[] = [
  ['{', '}'],
  ['{', '}'],
  ['{{', '}}'],
  ['[', ']'],
  ['<', '>'],
  ['$', ''],
  ['%', '%'],
];

export function fillForm(draw: Draw, values: Values): Task {
  const [open, close] = draw.pick(OPENERS);
  const next = () => {
    const form = draw.wording(FORMS);
    const names = Array.from(form.matchAll(/\{(\w+)\}/g), match => match[1]!);
    const named = Object.fromEntries(names.map(name => [name, SLOTS[name]!(draw, values)]));
    const places = Object.fromEntries(names.map(name => [name, open + name + close]));
    return { input: layOut(draw, fill(form, places), named), answer: fill(form, named) };
  };
  return { instructions: FILL, next };
}

function layOut(draw: Draw, form: string, named: Readonly<Record<string, string>>): string {
  const is = draw.pick([': ', ' = ', '=']);
  const pairs = draw.shuffle(Object.entries(named)).map(([name, value]) => name + is + value);
  return draw.pick([
    `${form}\n${pairs.join(draw.pick(['\n', '; ']))}`,
    `${pairs.join('\n')}\n\n${form}`,
    `Template: ${form}\nValues: ${pairs.join('; ')}`,
    `Text: ${form}\n${pairs.join('\n')}`,
  ]);
}

const SENTENCE = [
  'Write "{pattern}" with the input for X.',
  'Answer in the form "{pattern}", where X is the input.',
  'Use the pattern "{pattern}" and put the input for X.',
  'The answer must look like "{pattern}". X is the input.',
  'Put the input into "{pattern}" in place of X.',
  'Follow the pattern "{pattern}", with X as given.',
  'X is the input. Write "{pattern}" with it.',
  'In "{pattern}", replace X by the input.',
  'Take "{pattern}" and write the input where X stands.',
];

const PATTERNS = [
  'X is here.',
  'I like X.',
  'We need X today.',
  'Where is X?',
  'X, X and X.',
  'Thank you for X.',
  'This is X.',
  'Not X, but Y.',
  'Hello X!',
  'X and X again.',
  'My favorite is X.',
  'Do you know X?',
  'X comes first.',
  'You said X.',
  'Id: X.',
];

/** One value, set into a pattern in which X stands for it. */
export function fillPattern(draw: Draw, values: Values): Task {
  const pattern = draw.wording(PATTERNS);
  const toValue = draw.pick([values.word, values.firstName, values.code, values.product, values.city]);
  const next = (): Case => {
    const input = toValue();
    return { input, answer: pattern.replace(/\bX\b/g, () => input) };
  };
  return { instructions: SENTENCE, slots: { pattern }, next };
}
