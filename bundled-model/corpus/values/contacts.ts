// Contact details: email addresses in reserved domains, user names, telephone numbers.
import type { Draw } from '../draw.js';
import { readTexts } from '../texts.js';
import data from './contacts.json' with { type: 'json' };
import { COMPANY_MIDDLES, COMPANY_STARTS, MAIL_ENDINGS, MAIL_WORDS } from './lists/business.js';
import { FIRST_NAMES } from './lists/first-names.js';
import { SURNAMES } from './lists/surnames.js';
import { fillShape } from './shapes.js';
import { inventWord, toPlain } from './words.js';

const { DESKS, PHONE_SHAPES } = readTexts(data);

export const drawDomain = (draw: Draw) => draw.value(() => makeDomain(draw));
export const drawUsername = (draw: Draw) => draw.value(() => makeLocalPart(draw, drawName(draw)));

export function drawEmail(draw: Draw, name?: string): string {
  return draw.value(() => `${makeMailbox(draw, name)}@${makeDomain(draw)}`);
}

function makeMailbox(draw: Draw, name?: string): string {
  if (name === undefined && draw.chance(0.15)) return draw.pick(DESKS);
  if (name === undefined && draw.chance(0.2)) return inventWord(draw) + draw.integer(1, 999);
  return makeLocalPart(draw, name ?? drawName(draw));
}

const drawName = (draw: Draw) => `${draw.value(FIRST_NAMES)} ${draw.value(SURNAMES)}`;

function makeLocalPart(draw: Draw, name: string): string {
  const words = name.split(/[\s-]+/).map(toPlain);
  const first = words[0]!;
  const last = words.length > 1 ? words.at(-1)! : '';
  const number = draw.chance(0.5) ? draw.integer(1, 99) : draw.integer(1950, 2009);
  if (last === '') return draw.pick([first, `${first}${number}`, `${first}_${number}`, `the.${first}`]);
  return draw.pick([
    `${first}.${last}`,
    `${first}.${last}`,
    `${first}${last}`,
    `${first}_${last}`,
    `${first}-${last}`,
    `${first.charAt(0)}.${last}`,
    `${first.charAt(0)}${last}`,
    `${first}${last.charAt(0)}`,
    `${last}.${first}`,
    `${last}${number}`,
    `${first}${number}`,
    `${first}.${last}${number}`,
    `${first.charAt(0)}${last}${number}`,
  ]);
}

function makeDomain(draw: Draw): string {
  const start = draw.pick(COMPANY_STARTS).toLowerCase();
  const ending = draw.chance(0.5) ? '.example' : draw.pick(MAIL_ENDINGS);
  const shape = draw.integer(0, 4);
  if (shape === 0) return start + draw.pick(COMPANY_MIDDLES) + ending;
  if (shape === 1) return draw.pick(MAIL_WORDS) + ending;
  if (shape === 2) return inventWord(draw) + ending;
  return start + (shape === 3 ? '' : '-') + draw.pick(MAIL_WORDS) + ending;
}

export const drawPhone = (draw: Draw) => draw.value(() => fillShape(draw, draw.pick(PHONE_SHAPES)));
