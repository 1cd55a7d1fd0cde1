// Sorting texts by labels that the prompt names. The labels change each time, and some are only codes, so the model
// learns to read them.
import type { Draw } from '../draw.js';
import type { Family } from '../family.js';
import type { Values } from '../values/index.js';
import { type Form, makeForm } from './classification/forms.js';
import { joinLabels, type Label, type LabelSet, listLabels, makeLabels } from './classification/labels.js';
import { type Class, SCALES, type Scale } from './classification/scales.js';
import { CODE_NOTES, IN_LINE, IN_LINES, OTHER_NOTES } from './classification/wordings.js';
import { makeRounds, poseTask, type Round, type Task } from './texts/pose-task.js';

export const classification: Family = {
  name: 'classification',
  weight: 2,
  score: 'exact',
  make: (draw, values) => poseTask(draw, draftClassification(draw, values)),
};

interface Classification extends Task {
  labels: readonly Label[];
  form: Form;
}

/** Everything except the layout of the conversation. */
export function draftClassification(draw: Draw, values: Values): Classification {
  const choice = choose(draw, values, draw.weighted(SCALES));
  const { labels } = choice;
  const form = makeForm(
    draw,
    values,
    labels.map(({ answer }) => answer),
  );
  const makeRound = () => sortOne(draw, values, choice, form);
  const asked = makeAsk(draw, choice, form);
  return { ...asked, rounds: makeRounds(draw, makeRound), example: makeRound(), labels, form };
}

interface Choice extends LabelSet {
  scale: Scale;
  classes: readonly Class[];
  /** The classes that get the last label, "other"; empty if there is no such label. */
  outsiders: readonly Class[];
}

const OTHERS = ['other', 'none', 'something else', 'misc', 'anything else', 'rest', 'unknown', 'general'];

function choose(draw: Draw, values: Values, scale: Scale): Choice {
  const classes = chooseClasses(draw, scale);
  const names = nameClasses(draw, scale, classes);
  const outsiders = scale.classes.filter(
    one => !classes.some(chosen => chosen === one || chosen.isNear(one)),
  );
  const hasOther = scale.isOpen && outsiders.length > 0 && draw.chance(0.2);
  const all = hasOther ? [...names, draw.pick(OTHERS)] : names;
  return { scale, classes, outsiders: hasOther ? outsiders : [], ...makeLabels(draw, values, all) };
}

/** Two to six classes that cannot be mistaken for each other, in random order. */
function chooseClasses(draw: Draw, { classes, isOpen }: Scale): Class[] {
  if (!isOpen) return draw.shuffle(classes);
  const chosen: Class[] = [];
  const count = draw.pick([2, 3, 3, 4, 4, 5, 6]);
  for (const one of draw.shuffle(classes))
    if (chosen.length < count && !chosen.some(other => other.isNear(one))) chosen.push(one);
  return chosen;
}

function nameClasses(draw: Draw, { classes: all, namings }: Scale, classes: readonly Class[]): string[] {
  if (namings) {
    const naming = draw.pick(namings);
    return classes.map(one => naming[all.indexOf(one)]!);
  }
  for (;;) {
    const isShort = draw.chance(0.5);
    const names = classes.map(one => (isShort ? one.names[0]! : draw.pick(one.names)));
    if (new Set(names.map(name => name.toLowerCase())).size === names.length) return names;
  }
}

function sortOne(draw: Draw, values: Values, { classes, outsiders, labels }: Choice, form: Form): Round {
  const at = draw.integer(0, labels.length - 1);
  const one = classes[at] ?? draw.pick(outsiders);
  return { text: one.write(draw, values), answer: form.write(labels[at]!.answer) };
}

/** The instruction, with notes on codes, on texts that fit nowhere, and on the form of the answer. */
function makeAsk(draw: Draw, choice: Choice, form: Form) {
  const inLine = draw.chance(0.6);
  const notes = [...(choice.isCoded ? [draw.wording(CODE_NOTES)] : []), form.note].filter(
    note => note !== '',
  );
  const other: Label | undefined =
    choice.outsiders.length > 0 && !choice.isCoded ? choice.labels.at(-1) : undefined;
  const isApart = other !== undefined && draw.chance(0.5);
  const listed = isApart ? { ...choice, labels: choice.labels.slice(0, -1) } : choice;
  if (isApart) notes.unshift(draw.wording(OTHER_NOTES));
  const ask = [draw.wording(inLine ? IN_LINE : IN_LINES), ...notes].join(inLine ? ' ' : '\n');
  const slots = {
    aspect: draw.pick(choice.scale.aspects),
    noun: draw.pick(choice.scale.nouns),
    word: choice.word,
    labels: (inLine ? joinLabels : listLabels)(draw, listed),
    other: isApart ? other.answer : '',
    ...form.slots,
  };
  return { ask, slots };
}
