import { describe, expect, it } from 'vitest';
import { createDraw, createValues, type Part, partOfValue, type Values } from '../corpus/index.js';
import {
  COMPANY_KINDS,
  COMPANY_STARTS,
  PRODUCT_KINDS,
  PRODUCT_LINES,
} from '../corpus/values/lists/business.js';
import { CITIES } from '../corpus/values/lists/cities.js';
import { FIRST_NAMES } from '../corpus/values/lists/first-names.js';
import { STREET_KINDS, STREET_NAMES } from '../corpus/values/lists/streets.js';
import { SURNAMES } from '../corpus/values/lists/surnames.js';

const parts: readonly Part[] = ['train', 'held-out', 'practice', 'practice-held-out'];
const kinds = Object.keys(createValues(createDraw('train', 1, 1))) as (keyof Values)[];
const oneValue = kinds.filter(kind => kind !== 'fullName');

function drawMany(kind: keyof Values, part: Part, count: number): string[] {
  const values = createValues(createDraw(part, 11, kinds.indexOf(kind)));
  return Array.from({ length: count }, () => values[kind]());
}

describe('entity values', () => {
  it.each(oneValue)('of the kind %s belong to the part of the draw', kind => {
    for (const part of parts)
      expect(new Set(drawMany(kind, part, 100).map(partOfValue))).toEqual(new Set([part]));
  });

  it('with two parts take both from that part', () => {
    for (const part of parts) {
      const names = drawMany('fullName', part, 200);
      expect(names.flatMap(name => name.split(' ')).filter(name => partOfValue(name) !== part)).toEqual([]);
      expect(names.every(name => /^\S+ \S+$/.test(name))).toBe(true);
    }
  });

  it.each(kinds)('of the kind %s never occur in two parts', kind => {
    const drawn = parts.map(part => new Set(drawMany(kind, part, 300).map(value => value.toLowerCase())));
    const all = drawn.flatMap(values => [...values]);
    expect(new Set(all).size).toBe(all.length);
  });

  it('are many', () => {
    const distinct = (kind: keyof Values) => new Set(drawMany(kind, 'train', 1500)).size;
    for (const kind of ['company', 'product', 'email', 'phone', 'orderNumber', 'code', 'fullName'] as const)
      expect(distinct(kind), kind).toBeGreaterThan(1400);
    for (const kind of ['street', 'word', 'username', 'domain', 'amount', 'accountNumber'] as const)
      expect(distinct(kind), kind).toBeGreaterThan(900);
    for (const kind of ['firstName', 'surname', 'city', 'date', 'time'] as const)
      expect(distinct(kind), kind).toBeGreaterThan(300);
  });

  it('are the same for the same number, and different for the next', () => {
    const draw = (number: number) => createValues(createDraw('train', 5, number));
    expect(kinds.map(kind => draw(1)[kind]())).toEqual(kinds.map(kind => draw(1)[kind]()));
    expect(draw(1).code()).not.toBe(draw(2).code());
  });

  it('of the kind word are lower-case words of four to nine letters with many different beginnings', () => {
    const words = drawMany('word', 'train', 1000);
    expect(words.filter(word => !/^[a-z]{4,9}$/.test(word))).toEqual([]);
    expect(new Set(words.map(word => word.slice(0, 2))).size).toBeGreaterThan(80);
  });

  it('come from long lists without repetition', () => {
    for (const [list, atLeast] of [
      [FIRST_NAMES, 500],
      [SURNAMES, 500],
      [CITIES, 250],
    ] as const) {
      expect(new Set(list.map(entry => entry.toLowerCase())).size).toBe(list.length);
      expect(list.length).toBeGreaterThanOrEqual(atLeast);
    }
  });

  it('do not slip into made-up companies, products and streets', () => {
    const lists = [COMPANY_STARTS, COMPANY_KINDS, PRODUCT_KINDS, PRODUCT_LINES, STREET_NAMES, STREET_KINDS];
    const pieces = new Set(lists.flat().flatMap(piece => piece.split(' ')));
    expect([...FIRST_NAMES, ...SURNAMES, ...CITIES].filter(name => pieces.has(name))).toEqual([]);
  });
});

describe('an e-mail address', () => {
  it('matches its name, without accents', () => {
    const values = createValues(createDraw('train', 2, 1));
    for (let i = 0; i < 50; i++)
      expect(values.email('Zoë Łukasz')).toMatch(/^[a-z0-9._-]*(zoe|lukasz)[a-z0-9._-]*@/);
  });

  it('is in a domain reserved for examples', () => {
    const reserved = /^[a-z0-9._-]+@[a-z0-9-]+(\.(example|test|invalid)|\.example\.(com|org|net))$/;
    expect(drawMany('email', 'practice', 300).filter(email => !reserved.test(email))).toEqual([]);
  });
});

describe('numbers', () => {
  it('of orders have three to eight digits, some with letters, dashes or a hash', () => {
    const orders = drawMany('orderNumber', 'train', 1000);
    const digits = new Set(orders.map(order => order.replace(/\D/g, '').length));
    expect([...digits].sort()).toEqual([3, 4, 5, 6, 7, 8]);
    for (const look of [/^\d+$/, /^#\d+$/, /^[A-Z]+-\d+$/, /^[A-Z]+\d+$/, /^\d+-\d+$/])
      expect(orders.filter(order => look.test(order)).length, String(look)).toBeGreaterThan(20);
  });

  it('for telephones and amounts come in many forms', () => {
    const shapes = (kind: keyof Values) =>
      new Set(drawMany(kind, 'train', 1000).map(value => value.replace(/\d/g, '#'))).size;
    expect(shapes('phone')).toBeGreaterThan(20);
    expect(shapes('amount')).toBeGreaterThan(60);
    expect(shapes('date')).toBeGreaterThan(60);
  });
});
