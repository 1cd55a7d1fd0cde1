// Tags replace people and places in a sentence; the rest stays exactly the same. Most frames reveal nothing about the
// kind of their values, so that the form of a value decides and not the words around it.
import { type Draw, fill, type Values } from '../../corpus/index.js';
import type { DataSet, Exercise } from '../data-set.js';
import { scoreRedaction } from './score-redaction.js';
import { ONE_OF_ANY, PLAIN, TWO_OF_ANY } from './sentences-of-any.js';
import { MAIL, NICK, RING, SPOT, WHO } from './sentences-of-one.js';
import { PAIRS } from './sentences-of-two.js';
import { TAGS } from './tags.js';
import { WORDS } from './words.js';

const SENTENCES = { who: WHO, mail: MAIL, ring: RING, spot: SPOT, nick: NICK } as const;
type Kind = keyof typeof SENTENCES;
const KINDS = Object.keys(SENTENCES) as Kind[];

export const redaction: DataSet = { make: makeText, scoreContent: scoreRedaction };

function makeText(draw: Draw, values: Values): Exercise {
  const template = pickTemplate(draw);
  const sentence = fillWords(draw, chooseKinds(draw, template));
  const named = nameAll(draw, values);
  return {
    asked: fill(sentence, named),
    answer: fill(sentence, TAGS),
    templates: [template],
    values: KINDS.filter(kind => sentence.includes(`{${kind}}`)).map(kind => named[kind].replace(/^@/, '')),
  };
}

function pickTemplate(draw: Draw): string {
  const { list } = draw.weighted([
    { weight: 48, list: ONE_OF_ANY },
    { weight: 27, list: TWO_OF_ANY },
    { weight: 13, list: SENTENCES[draw.pick(KINDS)] },
    { weight: 6, list: PAIRS },
    { weight: 6, list: PLAIN },
  ]);
  return draw.wording(list);
}

/** Two different kinds, for the slots of a frame that takes any. */
function chooseKinds(draw: Draw, template: string): string {
  const [x, y] = draw.sample(KINDS, 2);
  return template.replace('{x}', `{${x}}`).replace('{y}', `{${y}}`);
}

function fillWords(draw: Draw, template: string): string {
  return template.replace(/\{(\w+)\}/g, (place, name: string) =>
    name in WORDS ? draw.pick(WORDS[name]!) : place,
  );
}

function nameAll(draw: Draw, values: Values): Record<Kind, string> {
  const full = values.fullName();
  return {
    who: draw.chance(0.6) ? full : full.split(' ')[0]!,
    mail: draw.chance(0.5) ? values.email(full) : values.email(),
    ring: values.phone(),
    spot: values.street(),
    nick: `@${values.username()}`,
  };
}
