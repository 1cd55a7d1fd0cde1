// What stands around a question to a support desk: who answers, greetings, names, thanks.
import type { Intent } from '../../intent.js';

/** The system prompt, first sentence. */
export const DESKS: readonly string[] = [
  'You are the support assistant of {company}.',
  'You answer customer questions for {company}.',
  'You work in the support team of {company}.',
  'You are a support agent at {company}.',
  'You help the customers of {company}.',
  'You are the help desk of {company}.',
  'You answer emails to {company}.',
  'You reply to customers of {company}.',
  'Company: {company}. You are its support assistant.',
  'You are the friendly voice of {company}.',
  'You write for the customer service of {company}.',
  'You speak for {company}.',
  'Act as the support assistant of {company}.',
  'You take care of the customers of {company}.',
  'This is the support chat of {company}.',
  'Customers of {company} ask you for help.',
];

/** The system prompt, how to answer. */
export const MANNERS: readonly string[] = [
  'Be polite and short.',
  'Answer in one or two sentences.',
  'Be friendly.',
  'Keep answers short.',
  'Stay calm and kind.',
  'Do not make things up.',
  'Use only what you know.',
  'Answer clearly.',
  'Help as well as you can.',
  'Always be honest.',
];

export const LEADS: readonly string[] = [
  'I need some help.',
  'Can you help me?',
  'I have a question.',
  'I have a problem.',
  'Quick question:',
  'I hope that you can help me.',
  'Sorry to bother you.',
  'I am one of your customers.',
  'I have been a customer for years.',
  'This is my first order with you.',
  'I already wrote to you last week.',
  'I am writing from {city}.',
  'My name is {name}.',
  'This is {name}.',
  "I'm {name}.",
  'Here is {name} from {city}.',
  'I am {name} and I need help.',
  '{name} here.',
  'My name is {name} and I am a customer.',
  'You speak with {name}.',
  'I am {name} from {city}.',
  'I bought something from you.',
  'Please read this.',
  'Is anyone there?',
];

export const TAILS: readonly string[] = [
  'Thank you.',
  'Thanks!',
  'Thanks in advance.',
  'Please help.',
  'Can you help me?',
  'I hope to hear from you soon.',
  'Please reply soon.',
  'What can I do?',
  'Please let me know.',
  'I need this today.',
  'It is urgent.',
  'Many thanks, {name}',
  'Best wishes, {name}',
  'Thanks, {name}',
  'Kind regards, {name}',
  'Regards, {name}',
  'Thank you, {name}',
  'Thank you for your help.',
];

/** Only where the system prompt names a company. */
export const whoAnswers: Intent = {
  asks: [
    'Who are you?',
    'Who am I talking to?',
    'Is this {company}?',
    'Am I talking to {company}?',
    'Which company is this?',
    'What company do you work for?',
    'For whom do you work?',
    'Are you a support agent?',
    'Whom do I write with?',
    'What is this chat for?',
  ],
  answers: ['I am the support assistant of {company}.', 'This is the support assistant of {company}.'],
};

export const hello: Intent = {
  asks: [
    'Hello!',
    'Hi!',
    'Hello, is anyone there?',
    'Hi, can you help me?',
    'Good morning!',
    'Hello, I need help.',
    'Good afternoon!',
    'Hi, I have a question.',
    'Can I ask you something?',
    'Hey, are you there?',
    'Hello, is this {company}?',
  ],
  answers: [
    'Hello! Welcome to {company}. How can I help you?',
    'Hello from {company}! What can I do for you?',
  ],
};

export const thanks: Intent = {
  asks: [
    'Thank you!',
    'Thanks a lot!',
    'Okay, thank you.',
    'Great, thanks for your help.',
    'That helps, thank you.',
    'Thank you very much.',
    'Perfect, thanks.',
    'All right, thank you for the answer.',
    'Thanks, I will do that.',
    'Good, thank you.',
    'Thank you, that was quick.',
    'Okay, I understand. Thanks.',
  ],
  answers: ['You are welcome!', 'You are welcome! Is there anything else that I can do for you?'],
};

/** What the user says when asked for the number. */
export const givesNumber: Intent = {
  asks: [
    'It is {order}.',
    'The number is {order}.',
    'My order number is {order}.',
    'Order {order}.',
    'It should be {order}.',
    'The order number is {order}.',
    'Here it is: {order}',
    'I found it: {order}',
    'The email says {order}.',
    'Sure, it is {order}.',
    'I think that it is {order}.',
    "It's {order}, thanks.",
  ],
  answers: [
    'Thank you. We will look at order {order} and write to you.',
    'Thank you, I have noted order {order}. We will write to you soon.',
  ],
};
