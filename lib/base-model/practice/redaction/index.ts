// Whom and where a text is about gives way to tags of the house; all else, order numbers too, stays to the letter.
import { type Draw, fill, type Values } from '../../corpus/index.js';
import type { DataSet, Exercise } from '../data-set.js';
import { drawOrder } from '../sheet.js';
import { scoreRedaction } from './score-redaction.js';
import { MAIL, RING, SPOT, WHO } from './sentences-of-one.js';
import { NEUTRAL, PAIRS } from './sentences-of-two.js';
import { TAGS } from './tags.js';

const SENTENCES = { who: WHO, mail: MAIL, ring: RING, spot: SPOT } as const;
type Kind = keyof typeof SENTENCES;
const KINDS = Object.keys(SENTENCES) as Kind[];

/** Not like a telephone number: what stands around it need not tell. */
const LOOKS_LIKE_ORDER = /[A-Z]/;

export const redaction: DataSet = { make: makeText, scoreContent: scoreRedaction };

function makeText(draw: Draw, values: Values): Exercise {
  const templates = draw.shuffle(pickTemplates(draw));
  const named = nameAll(draw, values);
  const used = Object.entries(named).filter(([place]) => templates.some(text => text.includes(`{${place}}`)));
  return {
    asked: templates.map(template => fill(template, named)).join(' '),
    answer: templates.map(template => fill(template, { ...named, ...TAGS })).join(' '),
    templates,
    values: used.map(([, value]) => value),
  };
}

/** One to three things to hide, each of another kind. */
function pickTemplates(draw: Draw): string[] {
  const neutral = draw.wording(NEUTRAL);
  if (draw.chance(0.4)) {
    const pair = draw.wording(PAIRS);
    const other = draw.pick(KINDS.filter(kind => !pair.includes(`{${kind}}`)));
    return [pair, draw.chance(0.4) ? draw.wording(SENTENCES[other]) : neutral];
  }
  const singles = draw.sample(KINDS, draw.chance(0.7) ? 2 : 1).map(kind => draw.wording(SENTENCES[kind]));
  return singles.length === 1 || draw.chance(0.25) ? [...singles, neutral] : singles;
}

function nameAll(draw: Draw, values: Values): Record<Kind | 'order', string> {
  const full = values.fullName();
  return {
    who: draw.chance(0.6) ? full : full.split(' ')[0]!,
    mail: draw.chance(0.5) ? values.email(full) : values.email(),
    ring: values.phone(),
    spot: values.street(),
    order: drawOrder(values, LOOKS_LIKE_ORDER),
  };
}
