// The text comes back as it is, or in other letters, or between marks.
import type { Draw } from '../../draw.js';
import type { Values } from '../../values/index.js';
import type { Task } from '../asking/ask.js';
import { drawWord } from '../asking/content.js';
import { drawLine } from './texts.js';

const REPEAT = [
  'Repeat this exactly.',
  'Repeat the text exactly.',
  'Say this back to me, letter for letter.',
  'Copy this text.',
  'Copy the following without any change.',
  'Write the same text again.',
  'Return the text unchanged.',
  'Echo the input.',
  'Give me back exactly what I wrote.',
  'Type this again, exactly as it is.',
  'Do not change anything, just repeat.',
  'Answer with the same text.',
  'Reproduce the text word for word.',
  'Repeat after me.',
];

const REPEAT_MESSAGES = [
  'Repeat: {input}',
  'Say "{input}"',
  'Copy this: {input}',
  'Write this again: {input}',
  'Please say exactly this: {input}',
  'Can you repeat "{input}"?',
  'Repeat the text between the marks: <<{input}>>',
  'Answer only with this: {input}',
  'Could you write "{input}" for me?',
  'I want you to say this: {input}',
  'Echo: {input}',
  'Type {input}',
];

export function repeat(draw: Draw, values: Values): Task {
  const next = () => {
    const input = drawLine(draw, values);
    return { input, answer: input };
  };
  return { instructions: REPEAT, messages: REPEAT_MESSAGES, next };
}

const MARKS: readonly (readonly [string, string, string])[] = [
  ['double quotes', '"', '"'],
  ['quotation marks', '"', '"'],
  ['single quotes', "'", "'"],
  ['brackets', '(', ')'],
  ['square brackets', '[', ']'],
  ['curly brackets', '{', '}'],
  ['angle brackets', '<', '>'],
  ['stars', '*', '*'],
  ['double stars', '**', '**'],
  ['hash signs', '#', '#'],
  ['slashes', '/', '/'],
  ['dashes', '-', '-'],
];

const WRAP = [
  'Put the text in {marks}.',
  'Put {marks} around the text.',
  'Write this in {marks}.',
  'Place the text between {marks}.',
  'Surround the text with {marks}.',
  'Add {marks} around this.',
  'Copy the text and put {marks} around it.',
  'Return the text with {marks} around it.',
  'Wrap this in {marks}.',
  'Enclose the text in {marks}.',
];

const WRAP_MESSAGES = [
  'Put {marks} around this: {input}',
  'Wrap in {marks}: {input}',
  'Write the following in {marks}: {input}',
  'Can you put this in {marks}? {input}',
  'I need {marks} around this text: {input}',
  'How does this look in {marks}? {input}',
  'Set this between {marks}: {input}',
  'With {marks} around it, please: {input}',
];

export function wrap(draw: Draw, values: Values): Task {
  const [marks, open, close] = draw.pick(MARKS);
  const next = () => {
    const input = drawLine(draw, values);
    return { input, answer: open + input + close };
  };
  return { instructions: WRAP, messages: WRAP_MESSAGES, slots: { marks }, next };
}

const CASES = [
  'Write the text in {letters}.',
  'Change the text to {letters}.',
  'Put this in {letters}.',
  'Turn all letters into {letters}.',
  'Use {letters} only.',
  'Convert the text to {letters}.',
  'Give me the text in {letters}.',
  'Copy this in {letters}.',
  'Make it all {letters}.',
  'Return the same text in {letters}.',
];

const CASE_MESSAGES = [
  'Write "{input}" in {letters}.',
  'In {letters}: {input}',
  'How do you write "{input}" in {letters}?',
  'Please change this to {letters}: {input}',
  'What is "{input}" in {letters}?',
  'Turn this into {letters}: {input}',
  'Can I have this in {letters}? {input}',
  'Type this in {letters}: {input}',
];

const UPPER = ['capital letters', 'upper case', 'capitals', 'uppercase letters', 'big letters'];
const LOWER = ['small letters', 'lower case', 'lowercase letters'];

export function changeCase(draw: Draw, values: Values): Task {
  const upper = draw.chance(0.5);
  const next = () => {
    const input = upper || draw.chance(0.6) ? drawLine(draw, values) : drawLine(draw, values).toUpperCase();
    return { input, answer: upper ? input.toUpperCase() : input.toLowerCase() };
  };
  return {
    instructions: CASES,
    messages: CASE_MESSAGES,
    slots: { letters: draw.pick(upper ? UPPER : LOWER) },
    next,
  };
}

const TIMES = [
  'Write this {times}, with {mark} between.',
  'Repeat this {times}, separated by {mark}.',
  'Say it {times}, with {mark} in between.',
  'Copy this {times} and put {mark} between.',
  'Write it down {times} with {mark} in between.',
  'Give it back {times}, separated by {mark}.',
  'Type it {times}, each time with {mark} between.',
  'I want this {times}, with {mark} between.',
];

const TIMES_MESSAGES = [
  'Write {input} {times}, with {mark} between.',
  'Say {input} {times}, separated by {mark}.',
  'Repeat {input} {times}, with {mark} in between.',
  'Can you write {input} {times} with {mark} in between?',
  'Type {input} {times}, separated by {mark}.',
  'I need {input} {times}, with {mark} between.',
  'Give me {input} {times}, separated by {mark}.',
  'Put {input} down {times}, with {mark} in between.',
];

const BETWEEN: readonly (readonly [string, string])[] = [
  ['a space', ' '],
  ['a comma', ', '],
  ['a dash', '-'],
  ['a slash', '/'],
  ['a plus sign', '+'],
];

export function repeatTimes(draw: Draw, values: Values): Task {
  const count = draw.integer(2, 5);
  const [mark, between] = draw.pick(BETWEEN);
  const next = () => {
    const input = draw.chance(0.3) ? values.code() : drawWord(draw, values);
    return { input, answer: Array.from({ length: count }, () => input).join(between) };
  };
  const times = ['two times', 'three times', 'four times', 'five times'][count - 2]!;
  return { instructions: TIMES, messages: TIMES_MESSAGES, slots: { times, mark }, next };
}
