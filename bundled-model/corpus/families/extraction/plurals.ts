// Sentences with several values of one kind.
import type { Kind } from '../texts/kinds.js';

export interface Plural {
  kind: Kind;
  words: readonly string[];
  templates: readonly string[];
}

export const PLURALS: readonly Plural[] = [
  {
    kind: 'name',
    words: ['names', 'people', 'persons', 'names of people'],
    templates: [
      '{a}, {b} and {c} are coming to the party.',
      '{a} works with {b} this week.',
      'We have asked {a}, {b}, {c} and {d} to help us.',
      '{a} called because {b} cannot open the door.',
      'The winners are {a}, {b} and {c}.',
      '{a} wrote a letter to {b} and a card to {c}.',
      'On the early shift: {a} and {b}. On the late shift: {c} and {d}.',
      '{a} sits between {b} and {c}.',
      'Did {a} tell you that {b} has moved?',
      'The children of {a} are called {b} and {c}.',
      'First came {a}, then {b}, and last of all {c}.',
      '{a} sold a bike to {b}.',
    ],
  },
  {
    kind: 'city',
    words: ['cities', 'places', 'towns'],
    templates: [
      'The tour goes from {a} to {b} and then to {c}.',
      'We have shops in {a}, {b} and {c}.',
      'She was born in {a}, but she grew up in {b}.',
      'The train stops in {a}, {b}, {c} and {d}.',
      'It rains in {a} while the sun shines in {b}.',
      'Is {a} bigger than {b}?',
      'Next year we want to see {a} and {b}.',
      'The road between {a} and {b} is closed.',
      'He flew to {a} and drove on to {b}.',
    ],
  },
  {
    kind: 'order',
    words: ['order numbers', 'orders', 'numbers of the orders'],
    templates: [
      'The orders {a}, {b} and {c} are late.',
      'Order {a} was paid, order {b} was not.',
      'Please send {a} and {b} together.',
      'I am waiting for {a} and {b}, and {c} came broken.',
      'Today we packed {a}, {b}, {c} and {d}.',
      'Did you mix up {a} with {b}?',
      'Cancel order {a}, but keep {b} and {c}.',
      'The label of {a} was on the box of {b}.',
      'Open orders: {a}; {b}; {c}.',
    ],
  },
  {
    kind: 'email',
    words: ['email addresses', 'emails', 'mail addresses', 'addresses'],
    templates: [
      'Send it to {a} and {b}.',
      'My old address was {a}, the new one is {b}.',
      'The mail went to {a}, {b} and {c}.',
      'Please put {a} on the list and take {b} off.',
      'You can write to {a} or to {b}.',
      '{a} does not work any more, use {b}.',
      'Copies go to {a}, {b} and {c}.',
      'We have two contacts there, {a} and {b}.',
    ],
  },
  {
    kind: 'phone',
    words: ['phone numbers', 'numbers', 'telephone numbers'],
    templates: [
      'Call {a} or {b}.',
      'At home I have {a}, and at work {b}.',
      'My number was {a}, but now it is {b}.',
      'If nobody answers at {a}, try {b} or {c}.',
      'The office is {a}, the shop is {b}.',
      'Both {a} and {b} are busy.',
      'Write down these numbers: {a}, {b}, {c}.',
      'The doctor can be called at {a}, at night at {b}.',
    ],
  },
  {
    kind: 'amount',
    words: ['amounts', 'amounts of money', 'prices', 'sums'],
    templates: [
      'The bed costs {a} and the table {b}.',
      'I paid {a} first and {b} later.',
      'It was {a}, now it is only {b}.',
      'The rooms are {a}, {b} and {c} a night.',
      'We need {a} for food and {b} for the bus.',
      'You charged {a} and not {b}.',
      'The bills are for {a}, {b} and {c}.',
      'He offered {a}, but she wanted {b}.',
    ],
  },
  {
    kind: 'date',
    words: ['dates', 'days'],
    templates: [
      'We meet on {a} and on {b}.',
      'The shop is closed from {a} to {b}.',
      'It was planned for {a} but moved to {b}.',
      'The tests are on {a}, {b} and {c}.',
      'I can come on {a} or on {b}.',
      'The work began on {a} and ended on {b}.',
      'Bills came on {a}, on {b} and on {c}.',
      'Is it on {a} or on {b}?',
    ],
  },
  {
    kind: 'company',
    words: ['companies', 'firms', 'company names'],
    templates: [
      'We got offers from {a}, {b} and {c}.',
      '{a} has bought {b}.',
      'She left {a} and went to {b}.',
      'Both {a} and {b} sell lamps.',
      'The roof was made by {a}, the windows by {b}.',
      '{a} works together with {b} and {c}.',
      'Our clients are {a}, {b}, {c} and {d}.',
      'Is {a} cheaper than {b}?',
    ],
  },
  {
    kind: 'product',
    words: ['products', 'product names', 'articles'],
    templates: [
      'I would like to buy the {a} and the {b}.',
      'The {a} is cheaper than the {b}.',
      'We sell the {a}, the {b} and the {c}.',
      'In the box were the {a} and the {b}.',
      'Out of stock: {a}, {b}, {c}.',
      'Which is better, the {a} or the {b}?',
      'The {a} works with the {b}.',
      'My {a} broke, so I now use a {b}.',
    ],
  },
  {
    kind: 'code',
    words: ['codes', 'code numbers'],
    templates: [
      'The doors open with {a} and {b}.',
      'First enter {a}, then {b}.',
      'The code {a} is old, the new one is {b}.',
      'I tried {a}, {b} and {c}.',
      'Use {a} at the gate and {b} at the door.',
      'The lockers have the codes {a}, {b}, {c} and {d}.',
      'Is it {a} or {b}?',
      'My code is {a}, and hers is {b}.',
    ],
  },
];

/** Sentences without any value, to stand next to these. */
export const PLAIN: readonly string[] = [
  'Please remember that.',
  'I hope that this is clear.',
  'The rest is as before.',
  'Nothing else has changed.',
  'That is all for today.',
  'It was a long day.',
  'We will talk about it later.',
  'This is the last time that I write about it.',
  'You know the reason.',
  'I am not sure about everything.',
];
