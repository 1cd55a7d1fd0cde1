// People, made-up companies and products, cities and streets.
import type { Draw } from '../draw.js';
import {
  COMPANY_FORMS,
  COMPANY_KINDS,
  COMPANY_MIDDLES,
  COMPANY_STARTS,
  PRODUCT_KINDS,
  PRODUCT_LINES,
} from './lists/business.js';
import { CITIES, TOWN_ENDS, TOWN_STARTS } from './lists/cities.js';
import { FIRST_NAMES } from './lists/first-names.js';
import { STREET_KINDS, STREET_NAMES, STREET_STEMS, STREET_SUFFIXES } from './lists/streets.js';
import { SURNAMES } from './lists/surnames.js';
import { capitalize, inventWord } from './words.js';

export const drawFirstName = (draw: Draw) => draw.value(FIRST_NAMES);
export const drawSurname = (draw: Draw) => draw.value(SURNAMES);

export function drawCity(draw: Draw): string {
  if (draw.chance(0.6)) return draw.value(CITIES);
  return draw.value(() => draw.pick(TOWN_STARTS) + draw.pick(TOWN_ENDS));
}

export function drawStreet(draw: Draw): string {
  return draw.value(() => {
    const number = draw.integer(1, draw.chance(0.7) ? 99 : 999);
    const letter = draw.chance(0.08) ? draw.pick(['a', 'b', 'c']) : '';
    if (draw.chance(0.15))
      return `${draw.pick(STREET_STEMS)}${draw.pick(STREET_SUFFIXES)} ${number}${letter}`;
    return `${number}${letter} ${draw.pick(STREET_NAMES)} ${draw.pick(STREET_KINDS)}`;
  });
}

export const drawCompany = (draw: Draw) => draw.value(() => makeCompany(draw));

function makeCompany(draw: Draw): string {
  const stem = makeStem(draw);
  const kind = draw.pick(COMPANY_KINDS);
  const shape = draw.integer(0, 9);
  if (shape < 5) return `${stem} ${kind}`;
  if (shape === 5) return `${draw.value(SURNAMES)} & ${draw.value(SURNAMES)}`;
  if (shape === 6) return `${draw.value(SURNAMES)} ${kind}`;
  if (shape === 7) return `${stem} ${draw.pick(COMPANY_FORMS)}`;
  return shape === 8 ? `${capitalize(inventWord(draw))} ${kind}` : stem;
}

/** Such as "Brightwell" or "Copper Lane". */
function makeStem(draw: Draw): string {
  const start = draw.pick(COMPANY_STARTS);
  const middle = draw.pick(COMPANY_MIDDLES);
  return draw.chance(0.75) ? start + middle : `${start} ${capitalize(middle)}`;
}

export const drawProduct = (draw: Draw) => draw.value(() => makeProduct(draw));

function makeProduct(draw: Draw): string {
  const brand = draw.chance(0.7) ? capitalize(inventWord(draw)) : draw.pick(COMPANY_STARTS);
  const kind = draw.pick(PRODUCT_KINDS);
  const shape = draw.integer(0, 9);
  if (shape < 3) return `${brand} ${kind}`;
  if (shape < 5) return `${brand} ${kind} ${draw.integer(2, 900)}`;
  if (shape < 7) return `${brand} ${draw.pick(PRODUCT_LINES)} ${kind}`;
  if (shape === 7) return `${brand} ${kind} ${draw.pick(PRODUCT_LINES)}`;
  return `${brand} ${draw.pick([...'ABCDEFGHKLMNPQRSTVWXZ'])}${draw.integer(1, 990)}${shape === 8 ? ` ${kind}` : ''}`;
}
