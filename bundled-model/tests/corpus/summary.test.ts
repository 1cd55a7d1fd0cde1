import { describe, expect, it } from 'vitest';
import * as lists from '../../corpus/families/summary/wordings.js';
import { summary } from '../../corpus/families/summary.js';
import { converse, expectFamily, expectFilled, findList, toAnswers, toBareCases } from './family-checks.js';

const conversations = converse(summary, 'train', 900);
const cases = toBareCases(conversations);

describe('summary', () => {
  it('makes well-formed conversations and keeps the held-out side apart', () => {
    expectFilled(expectFamily(summary));
  });

  it('names nothing that the text does not name', () => {
    for (const { before, answer } of conversations.flatMap(toAnswers)) {
      const named = answer.match(/\S*\d\S*|(?<=\S )\p{Lu}\S+/gu) ?? [];
      for (const name of named)
        expect(before.toLowerCase(), answer).toContain(name.replace(/[.:,]+$/, '').toLowerCase());
    }
  });

  it('is a single sentence and shorter than the text; a subject line is not a sentence', () => {
    for (const { wordings, input, answer } of cases) {
      expect(answer).not.toContain('\n');
      expect(answer.length).toBeLessThan(input.length + 25);
      if (findList(lists, wordings) === 'SUBJECT') expect(answer).not.toMatch(/\.$/);
      else expect(answer).toMatch(/^\S.*\.$/);
    }
  });

  it('says who wants what, and why', () => {
    const mails = cases.filter(({ wordings }) => findList(lists, wordings) !== 'SUBJECT');
    const wants = [
      /money back|refund/i,
      /exchange|swap|another one|new one|different one/i,
      /discount|lower price|better price|off the price|pay less/i,
    ];
    const said = [/ wants a refund for /, / wants to exchange /, / wants a discount on /];
    let found = 0;
    for (const { input, answer } of mails) {
      const because = answer.match(/^(.+?) wants? .+ because (it|a part) /);
      if (!because) continue;
      expect(input).toContain(because[1]);
      const at = said.findIndex(pattern => pattern.test(answer));
      if (at >= 0) expect(input, answer).toMatch(wants[at]!);
      if (/ broken\.$/.test(answer)) expect(input).toMatch(/broken|pieces|damaged/);
      if (/ too loud\.$/.test(answer)) expect(input).toMatch(/nois|loud/);
      found++;
    }
    expect(found).toBeGreaterThan(20);
  });
});
