// Mutants keep their names where the code around them stays, and those that tests no longer notice are found.
import type { MutantResult } from '@stryker-mutator/api/core';
import { describe, expect, it } from 'vitest';
import { compare } from './compare.js';
import { isDrawn, placeOf } from './place.js';
import { countScore, toScore } from './score.js';

const LINES = ['const a = 1;', 'if (a < 2) act();', '', 'const b = 2;', 'if (b < 3) act();', ''];

/** Of the condition in each line that begins with `if`, as Stryker reports them. */
function mutantsOf(lines: string[], ...statuses: MutantResult['status'][]): MutantResult[] {
  const conditions = lines.flatMap((line, at) => (line.startsWith('if') ? [at + 1] : []));
  return conditions.map((line, at) => ({
    id: String(at),
    fileName: 'lib/a.ts',
    location: { start: { line, column: 5 }, end: { line, column: 10 } },
    mutatorName: 'ConditionalExpression',
    replacement: 'true',
    status: statuses[at] ?? 'Killed',
  }));
}

const scoreOf = (lines: string[], ...statuses: MutantResult['status'][]) =>
  toScore(mutantsOf(lines, ...statuses), 'abc', () => lines);

describe('a score', () => {
  it('counts what took too long and what broke the run as killed, and leaves out what was not drawn', () => {
    expect(countScore(scoreOf(LINES, 'Timeout', 'Survived'))).toMatchObject({ tried: 2, killed: 1 });
    expect(countScore(scoreOf(LINES, 'RuntimeError', 'NoCoverage'))).toMatchObject({
      killed: 1,
      notCovered: 1,
    });
    expect(countScore(scoreOf(LINES, 'CompileError', 'Killed'))).toMatchObject({
      tried: 1,
      percent: '100.0',
    });
  });

  it('names survivors by their line and what changed', () => {
    const { survived } = scoreOf(LINES, 'Killed', 'Survived');
    expect(Object.values(survived)).toEqual(['lib/a.ts:5 ConditionalExpression: b < 3 → true']);
  });

  it('tells apart two mutants with the same code around them', () => {
    const twice = [...LINES, ...LINES];
    expect(countScore(scoreOf(twice, 'Survived', 'Survived', 'Survived')).survived).toBe(3);
  });
});

describe('a comparison', () => {
  it('finds what tests noticed before and no longer do, and the reverse', () => {
    const { lost, gained } = compare(
      scoreOf(LINES, 'Killed', 'Survived'),
      scoreOf(LINES, 'NoCoverage', 'Killed'),
    );
    expect(lost).toEqual(['lib/a.ts:2 ConditionalExpression: a < 2 → true']);
    expect(gained).toEqual(['lib/a.ts:5 ConditionalExpression: b < 3 → true']);
  });

  it('knows mutants again after lines were added elsewhere, and counts apart those whose lines changed', () => {
    const now = ['', ...LINES.with(4, 'if (b < 30) act();')];
    expect(compare(scoreOf(LINES), scoreOf(now, 'Survived', 'Survived'))).toMatchObject({
      lost: ['lib/a.ts:3 ConditionalExpression: a < 2 → true'],
      onlyBefore: 1,
      onlyNow: 1,
    });
  });
});

describe('the draw', () => {
  it('takes the share that is asked for, and a larger share with what the smaller one has', () => {
    const lines = Array.from({ length: 500 }, (_, at) => `if (a < ${at}) act();`);
    const places = lines.map((_, line) => {
      const location = { start: { line, column: 4 }, end: { line, column: 9 } };
      return placeOf({ fileName: 'lib/a.ts', location, mutatorName: 'Any', replacement: '' }, () => lines);
    });
    const draw = (share: number) => new Set(places.filter(place => isDrawn(place, share)));
    expect(draw(1).size).toBe(500);
    expect(draw(0.1).size).toBeGreaterThan(25);
    expect(draw(0.1).size).toBeLessThan(100);
    const larger = draw(0.2);
    expect([...draw(0.1)].filter(place => !larger.has(place))).toEqual([]);
  });
});
