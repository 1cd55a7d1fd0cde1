// The text comes back with one small change.
import type { Draw } from '../../draw.js';
import type { Values } from '../../values/index.js';
import type { Case, Task } from '../asking/ask.js';
import { drawDistinct, drawSentence, drawToken, drawWithout, drawWord } from '../asking/content.js';
import { PLAIN_SENTENCES } from '../asking/sentences.js';
import { drawLine, drawWords } from './texts.js';

/** A row of words in which each comes once. */
function drawRow(draw: Draw, values: Values): string[] {
  if (draw.chance(0.5)) return drawWords(draw, values, 3, 7);
  for (;;) {
    const words = drawSentence(draw, values, PLAIN_SENTENCES).split(' ');
    if (new Set(words).size === words.length) return words;
  }
}

const toOnce = (make: () => Case): (() => Case) => {
  const only = make();
  return () => only;
};

const REPLACE = [
  'Replace "{old}" with "{new}".',
  'Change "{old}" to "{new}" in this text.',
  'Write {new} instead of {old}.',
  'Put {new} in place of {old}.',
  'Swap the word {old} for {new}.',
  'Copy the text, but write {new} where it says {old}.',
  'Use the word {new} instead of {old} in this text.',
  'Replace the word {old} by {new}.',
  'Where the text says {old}, it must say {new}.',
  'The word {old} is wrong, it must be {new}. Correct the text.',
  'In the text, {old} becomes {new}.',
  'Turn {old} into {new} and leave the rest as it is.',
];

const REPLACE_MESSAGES = [
  'Replace {old} with {new} in "{input}".',
  'Change {old} to {new}: {input}',
  'In "{input}", write {new} instead of {old}.',
  'Take "{input}" and replace {old} by {new}.',
  'Can you change {old} to {new} here? {input}',
  'Here is a text: {input} Please put {new} for {old}.',
  'Text: {input}\nChange: {old} -> {new}',
  '{input}\n{old} should be {new}.',
];

export function replaceWord(draw: Draw, values: Values): Task {
  const words = drawRow(draw, values);
  const old = draw.pick(words);
  const [replacement] = drawDistinct(1, () => drawWord(draw, values));
  const answer = words.map(word => (word === old ? replacement! : word)).join(' ');
  const next = toOnce(() => ({ input: words.join(' '), answer }));
  return {
    instructions: REPLACE,
    messages: REPLACE_MESSAGES,
    slots: { old, new: replacement! },
    next,
  };
}

const REMOVE = [
  'Remove the word "{word}".',
  'Delete the word {word} from the text.',
  'Take out the word {word}.',
  'Write the text without the word {word}.',
  'Leave out {word}.',
  'Copy the text, but skip the word {word}.',
  'Drop the word "{word}" and keep the rest.',
  'Cut {word} from the text.',
  'Everything but the word {word}.',
  'The word {word} has to go. Write what is left.',
];

const REMOVE_MESSAGES = [
  'Remove {word} from "{input}".',
  'Delete {word}: {input}',
  'What is left of "{input}" without {word}?',
  'Take the word {word} out of this: {input}',
  'Write "{input}" without {word}.',
  'Can you leave out {word} here? {input}',
  'Text: {input}\nRemove: {word}',
  '{input}\nPlease drop the word {word}.',
];

export function removeWord(draw: Draw, values: Values): Task {
  const words = drawRow(draw, values);
  const word = draw.pick(words);
  const next = toOnce(() => ({
    input: words.join(' '),
    answer: words.filter(other => other !== word).join(' '),
  }));
  return { instructions: REMOVE, messages: REMOVE_MESSAGES, slots: { word }, next };
}

const PREPEND = [
  'Write "{addition}" before the text.',
  'Put {addition} at the beginning.',
  'Add {addition} to the start of the text.',
  'Start the text with {addition}.',
  'Add {addition} in front of it.',
  'Put {addition} first, then the text.',
  'The text should begin with {addition}.',
  'Place {addition} before this.',
];

const APPEND = [
  'Write "{addition}" after the text.',
  'Put {addition} at the end.',
  'Add {addition} to the end of the text.',
  'End the text with {addition}.',
  'Add {addition} behind it.',
  'Write the text first, then {addition}.',
  'The text should end with {addition}.',
  'Place {addition} after this.',
];

/** Before or after, with a space between. */
export function add(draw: Draw, values: Values): Task {
  const before = draw.chance(0.5);
  const addition = draw.chance(0.5) ? drawWord(draw, values) : drawToken(draw, values);
  const next = () => {
    const input = draw.chance(0.5) ? drawToken(draw, values) : drawRow(draw, values).join(' ');
    return { input, answer: before ? `${addition} ${input}` : `${input} ${addition}` };
  };
  return { instructions: before ? PREPEND : APPEND, slots: { addition }, next };
}

const SWAP = [
  'Swap the two parts.',
  'Write the two the other way round.',
  'Put the second one first.',
  'Change the order of the two.',
  'Turn the pair around.',
  'Exchange the two sides.',
  'Write the last part first.',
  'Give me the pair in the opposite order.',
  'Flip the pair.',
];

const SWAP_MESSAGES = [
  'Swap: {input}',
  'Turn this pair around: {input}',
  'The other way round, please: {input}',
  'Flip this pair: {input}',
  'What is "{input}" the other way round?',
  'Exchange the two parts of "{input}".',
  'Put the second part of "{input}" first.',
  'Change the order here: {input}',
];

export function swap(draw: Draw, values: Values): Task {
  const between = draw.pick([' and ', ' or ', ' / ', ', ', ' - ', ' = ', ' : ', ' before ', ' > ']);
  const next = () => {
    const draws = draw.chance(0.6) ? drawWord : drawToken;
    const [left, right] = drawDistinct(2, () => drawWithout(between, () => draws(draw, values)));
    return { input: left + between + right, answer: right + between + left };
  };
  return { instructions: SWAP, messages: SWAP_MESSAGES, next };
}

const STRIP = [
  'Write the code without the dashes.',
  'Remove the dashes.',
  'Take out every dash.',
  'Give me the code with no dashes.',
  'Delete the dashes from the code.',
  'No dashes, please.',
  'Write it in one piece, without dashes.',
  'Leave out all dashes.',
  'Copy the code but skip the dashes.',
];

export function stripDashes(_: Draw, values: Values): Task {
  const next = () => {
    for (;;) {
      const input = values.code();
      if (input.includes('-')) return { input, answer: input.replaceAll('-', '') };
    }
  };
  return { instructions: STRIP, next };
}

const TIDY = [
  'Remove the extra spaces.',
  'Leave one space between the words.',
  'There are too many spaces. Fix that.',
  'Write this with single spaces.',
  'Clean up the spaces.',
  'Take out the double spaces.',
  'Correct the spaces and nothing else.',
  'Only one space between two words, please.',
];

export function tidySpaces(draw: Draw, values: Values): Task {
  const next = () => {
    const answer = drawLine(draw, values);
    return { input: answer.replace(/ /g, () => ' '.repeat(draw.integer(1, 3))), answer };
  };
  return { instructions: TIDY, next };
}
