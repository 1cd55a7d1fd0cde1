// What the system prompt says about how to reach a company, and how to pay it.
import type { Rule } from './rules.js';

const hours: Rule = {
  states: [
    'We are open {hours}.',
    'Opening hours: {hours}.',
    'The shop is open {hours}.',
    'Our team works {hours}.',
    'Support is open {hours}.',
    'Our opening hours are {hours}.',
    'Customers can come {hours}.',
    'The store opens {hours}.',
  ],
  asks: [
    'When are you open?',
    'What are your opening hours?',
    'At what time do you open?',
    'When do you close?',
    'When can I come to the shop?',
    'Are you open now?',
    'How long are you open?',
    'On which days are you open?',
    'When can I reach you?',
    'Until when is the store open?',
  ],
  answers: ['We are open {hours}.', 'Our opening hours are {hours}.'],
  unknown: 'I do not know our opening hours. Please look at our website.',
};

const phone: Rule = {
  states: [
    'The phone number is {hotline}.',
    'Phone: {hotline}.',
    'Customers can call {hotline}.',
    'Our hotline is {hotline}.',
    'Call us at {hotline}.',
    'The number of our support is {hotline}.',
    'You reach us by phone at {hotline}.',
    'For calls: {hotline}.',
  ],
  asks: [
    'What is your phone number?',
    'Can I call you?',
    'How can I call you?',
    'Do you have a phone number?',
    'Which number can I call?',
    'I need your phone number.',
    'Is there a hotline?',
    'I would like to call you.',
    'Give me your phone number.',
    'What number do I ring?',
  ],
  answers: ['You can call us at {hotline}.', 'Our phone number is {hotline}.'],
  unknown: 'I do not know our phone number. Please look at our website.',
};

const email: Rule = {
  states: [
    'The support email is {supportEmail}.',
    'Email: {supportEmail}.',
    'Customers can write to {supportEmail}.',
    'Our email address is {supportEmail}.',
    'Write to us at {supportEmail}.',
    'Questions go to {supportEmail}.',
    'You reach us by email at {supportEmail}.',
    'For emails: {supportEmail}.',
  ],
  asks: [
    'What is your email address?',
    'How can I write to you?',
    'Where can I send an email?',
    'Which email address do you have?',
    'I need your email address.',
    'To which address can I write an email?',
    'Can I email you?',
    'Give me your email address.',
    'Do you have an email address?',
    'How do I contact you by email?',
  ],
  answers: ['You can write to {supportEmail}.', 'Our email address is {supportEmail}.'],
  unknown: 'I do not know our email address. Please look at our website.',
};

const place: Rule = {
  states: [
    'The shop is at {shopStreet} in {shopCity}.',
    'Address: {shopStreet}, {shopCity}.',
    'Our store is at {shopStreet} in {shopCity}.',
    'You find us at {shopStreet} in {shopCity}.',
    'Our office is at {shopStreet}, {shopCity}.',
    'The address is {shopStreet}, {shopCity}.',
    'We are at {shopStreet} in {shopCity}.',
    'Customers can visit us at {shopStreet}, {shopCity}.',
  ],
  asks: [
    'Where are you?',
    'What is your address?',
    'Where is your shop?',
    'Where can I find you?',
    'Do you have a store?',
    'Where is your office?',
    'How do I find your shop?',
    'In which street is your shop?',
    'Where can I pick up my order?',
    'Can I visit you?',
    'Where do you have a shop?',
  ],
  answers: ['You find us at {shopStreet} in {shopCity}.', 'Our address is {shopStreet}, {shopCity}.'],
  unknown: 'I do not know our address. Please look at our website.',
};

const methods: Rule = {
  states: [
    'We accept {methods}.',
    'Customers can pay by {methods}.',
    'Payment is by {methods}.',
    'You can pay by {methods}.',
    'Ways to pay: {methods}.',
    'We take {methods}.',
    'Orders are paid by {methods}.',
    'The ways to pay are {methods}.',
  ],
  asks: [
    'How can I pay?',
    'Which ways to pay do you have?',
    'Do you take credit cards?',
    'What can I pay with?',
    'How do I pay for my order?',
    'Which payment methods do you accept?',
    'Can I pay by bank transfer?',
    'Can I pay with cash?',
    'What are the ways to pay?',
    'Can I pay for the {product} by card?',
  ],
  answers: ['You can pay by {methods}.', 'We accept {methods}.'],
  unknown: 'I do not know how you can pay. Please look at our website.',
};

const trial: Rule = {
  states: [
    'The trial is free for {trial}.',
    'New customers get a free trial of {trial}.',
    'There is a free trial of {trial}.',
    'You can try it for {trial}.',
    'Free trial: {trial}.',
    'The free trial lasts {trial}.',
    'Everyone can try our service for {trial}.',
    'We offer a free trial of {trial}.',
  ],
  asks: [
    'Is there a free trial?',
    'How long is the trial?',
    'Can I try it first?',
    'How long can I use it for free?',
    'Do you have a trial?',
    'When does the free trial end?',
    'Can I test it before I pay?',
    'How many days is the trial?',
    'Tell me about the free trial.',
    'Is it possible to try it without paying?',
  ],
  answers: ['Yes, there is a free trial of {trial}.', 'You can try it for free for {trial}.'],
  unknown: 'I do not know if there is a free trial. Please look at our website.',
};

const contact: Rule = {
  states: [
    'The manager is {manager}.',
    'Our manager is called {manager}.',
    'Ask {manager} if something is not clear.',
    'The head of support is {manager}.',
    'Complaints go to {manager}.',
    'Our contact person is {manager}.',
    '{manager} leads the support team.',
    'The person to ask is {manager}.',
  ],
  asks: [
    'Who is the manager?',
    'Who is in charge?',
    'Whom can I ask?',
    'What is the name of your manager?',
    'Who is my contact person?',
    'Who leads your team?',
    'Who is your boss?',
    'Who can help me with a complaint?',
    'Which person can I talk to?',
    'To whom can I complain?',
  ],
  answers: ['Please ask for {manager}.', 'The person to ask is {manager}.'],
  unknown: 'I do not know the name. Please ask our team.',
};

export const CONTACTS: readonly Rule[] = [hours, phone, email, place, methods, trial, contact];
