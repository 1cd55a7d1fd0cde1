// Mails about orders, bookings and accounts.
import type { Fact } from './purchases.js';

/** A whole matter; the summary is a sentence. */
export type Matter = Fact & { subject: string };

export const MAILS: readonly Matter[] = [
  {
    summary: '{name} asks where order {order} is.',
    subject: 'Status of order {order}',
    texts: [
      'I am still waiting for order {order}.',
      'Where is my order {order}?',
      'My order {order} should have come last week.',
      'Can you tell me when order {order} will arrive?',
      'I have not heard anything about order {order}.',
      'Order {order} is not here yet. Has it been sent?',
    ],
  },
  {
    summary: '{name} wants to cancel order {order}.',
    subject: 'Cancellation of order {order}',
    texts: [
      'Please cancel order {order}.',
      'I do not need order {order} any more.',
      'I made a mistake and want to cancel order {order}.',
      'Can you stop order {order}?',
      'Order {order} is too expensive for me. Please do not send it.',
      'I found it cheaper elsewhere, so please cancel order {order}.',
    ],
  },
  {
    summary: '{name} wants order {order} sent to {street}.',
    subject: 'New address for order {order}',
    texts: [
      'Please send order {order} to {street}.',
      'I have moved. Order {order} must go to {street}.',
      'The address of order {order} is wrong, it should be {street}.',
      'Can order {order} be brought to {street}?',
      'My new address is {street}. This is for order {order}.',
      'I typed the wrong street for order {order}. The right one is {street}.',
    ],
  },
  {
    summary: '{name} needs the invoice for order {order}.',
    subject: 'Invoice for order {order}',
    texts: [
      'There was no invoice with order {order}.',
      'Please send me the invoice for order {order}.',
      'For my boss I need the invoice of order {order}.',
      'I lost the invoice for order {order}.',
      'Can I have the invoice for order {order} as a file?',
      'My bank asks for the invoice of order {order}.',
    ],
  },
  {
    summary: '{name} was charged twice for order {order}.',
    subject: 'Charged twice for order {order}',
    texts: [
      'I paid two times for order {order}.',
      'You took the money for order {order} twice.',
      'My bank shows two payments for order {order}.',
      'Order {order} was charged twice.',
      'I only bought one thing, but I see two charges for order {order}.',
      'Please check why I paid double for order {order}.',
    ],
  },
  {
    summary: '{name} says that {product} is missing from order {order}.',
    subject: 'Order {order}: {product} is missing',
    texts: [
      'Order {order} came today, but without {product}.',
      '{product} was not in order {order}.',
      'I opened order {order} and could not find {product}.',
      'Order {order} is here. Only {product} is missing.',
      'You forgot to put {product} into order {order}.',
      'Everything in order {order} is fine, but {product} is not there.',
    ],
  },
  {
    summary: '{name} wants to book a room in {city} for {date}.',
    subject: 'Room in {city} for {date}',
    texts: [
      'I am looking for a room in {city} on {date}.',
      'Do you have a room in {city} for {date}?',
      'On {date} I will be in {city} and need a room.',
      'Please book a room in {city} for me, for {date}.',
      'Can I get a room in {city}? The date is {date}.',
      'I travel to {city} on {date}. I need a place to sleep.',
    ],
  },
  {
    summary: '{name} cannot log in with {email}.',
    subject: 'No login with {email}',
    texts: [
      'I cannot log in with {email}.',
      'My account {email} does not let me in.',
      'The page says that {email} is unknown when I log in.',
      'I try to log in as {email}, but it fails.',
      'Since this morning I cannot get into my account. I use {email}.',
      'My password for {email} does not work.',
    ],
  },
  {
    summary: '{name} asks for a call at {phone}.',
    subject: 'Please call {phone}',
    texts: [
      'Please call me at {phone}.',
      'My number is {phone}. I am waiting for your call.',
      'Can somebody ring me at {phone}?',
      'It is better to talk. You reach me at {phone}.',
      'I would like to speak to you. Call {phone}.',
      'Writing takes too long, so please ring {phone}.',
    ],
  },
  {
    summary: '{name} asks how much {product} costs.',
    subject: 'Price of {product}',
    texts: [
      'What does {product} cost?',
      'How much is {product}?',
      'I cannot find the price of {product} on your page.',
      'Can you tell me the price of {product}?',
      'I would like to know what {product} costs.',
      'Is {product} expensive? Please tell me the price.',
    ],
  },
];

export const GREETINGS = [
  'Hello,',
  'Hi,',
  'Dear team,',
  'Good morning,',
  'Dear Sir or Madam,',
  'Hello everybody,',
  'Hi there,',
  'Good day,',
  'To whom it may concern,',
  'Hello again,',
];

export const CLOSINGS = [
  'Thank you, {name}',
  'Regards, {name}',
  'Best wishes\n{name}',
  'Thanks\n{name}',
  'Many thanks, {name}',
  'Yours, {name}',
  'Kind regards\n{name}',
  'Greetings, {name}',
  '- {name}',
  'Best, {name}',
  'See you, {name}',
];

/** What people add; the summary leaves it out. */
export const ASIDES = [
  'I have been a customer for years.',
  'I hope you are all well.',
  'This is the first time that I write to you.',
  'I have little time this week.',
  'Your shop was always good to me.',
  'I am a bit angry, to be honest.',
  'My neighbor also buys from you.',
  'It has been a long week.',
  'I wrote to you before, but nobody answered.',
  'I am writing from my phone.',
  'Your page is very nice, by the way.',
  'I asked my family, and they think the same.',
  'Please answer soon.',
  'I look forward to your answer.',
  'I hope that this is no trouble.',
  'Sorry for my bad English.',
];
