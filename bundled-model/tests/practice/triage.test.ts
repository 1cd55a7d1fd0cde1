import { describe, expect, it } from 'vitest';
import { practiceRows, scoreContent } from '../../practice/index.js';
import { TOPICS } from '../../practice/triage/topics.js';
import { WHEN } from '../../practice/triage/urgency.js';

interface Ticket {
  desk: keyof typeof TOPICS;
  heat: keyof typeof WHEN;
  ref: string;
  who: string;
}

const train = practiceRows('triage', 'train', 500, 1);
const heldOut = practiceRows('triage', 'held-out', 100, 1);
const rows = [...train, ...heldOut].map(row => ({ ...row, ticket: JSON.parse(row.answer) as Ticket }));

describe('triage', () => {
  it('answers with one line of JSON, with the fields in a fixed order', () => {
    for (const { answer, ticket } of rows) {
      expect(Object.keys(ticket)).toEqual(['desk', 'heat', 'ref', 'who']);
      expect(answer).toBe(JSON.stringify(ticket));
    }
  });

  it('takes order and name from the message, with a dash if they are missing', () => {
    for (const { asked, ticket, values } of rows) {
      expect([ticket.ref, ticket.who].filter(value => value !== '-')).toEqual(values);
      for (const value of values) expect(asked).toContain(value);
    }
    for (const field of ['ref', 'who'] as const) {
      const missing = rows.filter(({ ticket }) => ticket[field] === '-').length;
      expect(missing / rows.length).toBeGreaterThan(0.08);
      expect(missing / rows.length).toBeLessThan(0.25);
    }
  });

  it('goes to the desk for the topic of the message, with the stated urgency', () => {
    for (const { asked, ticket } of rows) {
      const names = (word: string) => new RegExp(`\\b${word}\\b`).test(asked);
      expect(Object.values(TOPICS).flat().filter(names)).toHaveLength(1);
      expect(TOPICS[ticket.desk].filter(names)).toHaveLength(1);
      expect(Object.values(WHEN).flat().filter(names)).toHaveLength(1);
      expect(WHEN[ticket.heat].filter(names)).toHaveLength(1);
    }
  });

  it('shows every deciding word often enough to be learned', () => {
    const times = (word: string) => train.filter(({ asked }) => asked.includes(` ${word}`)).length;
    for (const word of [...Object.values(TOPICS), ...Object.values(WHEN)].flat())
      expect(times(word), word).toBeGreaterThanOrEqual(8);
  });
});

describe('the content of a ticket', () => {
  const expected = '{"desk":"coin","heat":3,"ref":"A-4821","who":"Mara"}';
  const score = (answered: string) => scoreContent('triage', '', expected, answered);

  it('is scored under any keys, in any case and order', () => {
    expect(score("{ name: 'MARA', Order = A-4821, urgency: 3, queue: Coin }")).toBe(1);
    expect(score('coin, 3, A-4821, Mara')).toBe(1);
  });

  it('is scored by the share of its values that are right', () => {
    expect(score('{"desk":"haul","heat":3,"ref":"A-4821","who":"Mara"}')).toBe(0.75);
    expect(score('{"desk":"coin","heat":1,"ref":"A-482","who":"Tom"}')).toBe(0.25);
    expect(score('Thank you for your message. We will call you back.')).toBe(0);
  });

  it('gains nothing from naming everything', () => {
    expect(score('{"a":"coin","b":"haul","c":"mend","d":"door","e":1,"f":2,"g":3,"h":"A-4821"}')).toBe(3 / 8);
  });

  it('accepts many words for "none"', () => {
    const bare = '{"desk":"coin","heat":3,"ref":"-","who":"-"}';
    const answered = '{"queue":"coin","urgency":3,"order":null,"customer":"none"}';
    expect(scoreContent('triage', '', bare, answered)).toBe(1);
    expect(scoreContent('triage', '', bare, '{"queue":"coin","urgency":3,"order":"-"}')).toBe(0.75);
  });
});
