// The contents of an output format: values from the text, and sometimes its topic or a yes-or-no flag.
import type { Draw } from '../../draw.js';
import { chooseFields, type Field } from '../texts/fields.js';
import type { Kind } from '../texts/kinds.js';
import type { Passage } from '../texts/passage.js';
import type { Theme } from '../texts/theme.js';
import { THEMES } from '../texts/themes/index.js';
import { CAPITAL_NOTES, FLAG_NOTES, TOPIC_NOTES } from './wordings.js';

export interface Slot extends Field {
  /** Whether every text has a value for it. */
  isDerived?: boolean;
  /** Undefined if the text does not say it. */
  read(passage: Passage): string | undefined;
  /** What the prompt must say about it: a template and its values. */
  note?: { template: string; slots: Record<string, string> };
}

export function chooseSlots(draw: Draw, passage: Passage): Slot[] {
  const fields = chooseFields(draw, passage, { most: 4, missing: 0.2 });
  const slots: Slot[] = fields.map(field => ({ ...field, read: ({ facts }) => facts[field.kind] }));
  if (draw.chance(0.25)) slots.push(topicSlot(draw, passage.theme, slots));
  if (draw.chance(0.1)) slots.push(...flagSlot(draw, slots));
  const inWords = slots.filter(slot => !slot.isDerived && WRITTEN.includes(slot.kind));
  const capital = inWords.length > 0 && draw.chance(0.15) ? draw.pick(inWords) : undefined;
  return draw.shuffle(slots).map(slot => (slot === capital ? inCapitals(draw, slot) : slot));
}

/** Kinds with enough letters for capitals to show. */
const WRITTEN: readonly Kind[] = ['name', 'other', 'city', 'origin', 'company', 'product', 'item', 'day'];

const freeWord = (draw: Draw, words: readonly string[], slots: readonly Slot[]): string =>
  draw.pick(words.filter(word => slots.every(({ phrase }) => phrase !== word)));

/** The options are the topic and the topics of other themes. */
function topicSlot(draw: Draw, theme: Theme, slots: readonly Slot[]): Slot {
  const phrase = freeWord(draw, ['topic', 'subject', 'category', 'type', 'theme', 'class', 'kind'], slots);
  const far = THEMES.filter(other => !other.near.includes(theme.name) && !theme.near.includes(other.name));
  const others = draw.sample(
    far.filter(other => other !== theme),
    draw.integer(1, 3),
  );
  const naming = draw.pick([
    (one: Theme) => draw.pick(one.labels),
    (one: Theme) => one.labels[0]!,
    (one: Theme) => draw.pick(one.labels).toUpperCase(),
    (one: Theme) => draw.pick(one.departments),
  ]);
  const right = naming(theme);
  const options = draw.shuffle([right, ...others.map(naming)]);
  const shown = draw.pick([options.join(', '), options.join(' / '), options.join(' | '), joinOr(options)]);
  return {
    kind: 'item',
    phrase,
    isDerived: true,
    read: () => right,
    note: { template: draw.wording(TOPIC_NOTES), slots: { topic: phrase, options: shown } },
  };
}

const joinOr = (list: readonly string[]) => `${list.slice(0, -1).join(', ')} or ${list.at(-1)}`;

const FLAGS: readonly { kind: Kind; phrase: string; thing: string }[] = [
  { kind: 'phone', phrase: 'has phone', thing: 'a phone number' },
  { kind: 'email', phrase: 'has email', thing: 'an email address' },
  { kind: 'amount', phrase: 'has amount', thing: 'an amount of money' },
  { kind: 'date', phrase: 'has date', thing: 'a date' },
  { kind: 'time', phrase: 'has time', thing: 'a time of day' },
];

/** None if the format already asks for everything that a flag could say. */
function flagSlot(draw: Draw, slots: readonly Slot[]): Slot[] {
  const free = FLAGS.filter(flag => slots.every(slot => slot.kind !== flag.kind));
  if (free.length === 0) return [];
  const { kind, phrase, thing } = draw.pick(free);
  const [yes, no] = draw.pick([
    ['yes', 'no'],
    ['true', 'false'],
    ['Y', 'N'],
    ['1', '0'],
    ['x', '-'],
  ] as const);
  return [
    {
      kind,
      phrase,
      isDerived: true,
      read: ({ facts }) => (facts[kind] === undefined ? no : yes),
      note: { template: draw.wording(FLAG_NOTES), slots: { flag: phrase, thing, yes, no } },
    },
  ];
}

const inCapitals = (draw: Draw, slot: Slot): Slot => ({
  ...slot,
  read: passage => slot.read(passage)?.toUpperCase(),
  note: { template: draw.wording(CAPITAL_NOTES), slots: { capital: slot.phrase } },
});
