import { describe, expect, it } from 'vitest';
import { parseFormula } from '../../lib/grading/formula.js';

const values = { name: 0.5, email: 1, _x1: -2 };
const calculate = (text: string) => parseFormula(text, Object.keys(values))(values);

describe('the formula of a multi grader', () => {
  it.each([
    ['(name + email) / 2', 0.75],
    ['0.5 * name + 0.5 * email', 0.75],
    ['1 - 2 - 3', -4],
    ['8 / 4 / 2', 1],
    ['2 + 3 * 4', 14],
    ['2 ^ 3 ^ 2', 512],
    ['-2 ^ 2', -4],
    ['2 ^ -1', 0.5],
    ['--2', 2],
    ['+name', 0.5],
    ['2 ** 3', 8],
    ['.5e1 + 1.e0', 6],
    ['min(name, email, 0.2)', 0.2],
    ['max(name, _x1)', 0.5],
    ['abs(_x1) + floor(1.7) + ceil(1.2)', 5],
    ['exp(0) + log(1) + sqrt(4)', 3],
    ['  name\n+\temail ', 1.5],
    ['((((name))))', 0.5],
  ])('%s is %d', (text, expected) => {
    expect(calculate(text)).toBeCloseTo(expected, 12);
  });

  it.each([
    ['', 'expected a number or a name at the end'],
    ['name +', 'expected a number or a name at the end'],
    ['name email', 'expected an operator before `email`'],
    ['(name', 'expected `)` at the end'],
    ['name)', 'expected an operator before `)`'],
    ['* 2', 'expected a number or a name before `*`'],
    ['name; email', '`;` means nothing here'],
    ['name = 1', '`=` means nothing here'],
    ['1.2.3', 'expected an operator before `0.3`'],
    ['round(name)', '`round` is not a function'],
    ['constructor(name)', '`constructor` is not a function'],
    ['abs(name, email)', '`abs` takes one value'],
    ['min()', 'expected a number or a name before `)`'],
    ['('.repeat(500), 'nested too deeply'],
    ['2^'.repeat(490), 'nested too deeply'],
  ])('%s cannot be read', (text, why) => {
    expect(() => calculate(text)).toThrow(why);
    expect(() => calculate(text)).toThrow(expect.objectContaining({ code: 'formula_parse_error' }));
  });

  it('knows only its graders, not what every object has', () => {
    for (const name of ['age', 'toString', '__proto__', 'min'])
      expect(() => calculate(name)).toThrow(expect.objectContaining({ code: 'invalid_variable_error' }));
  });

  it('reads a long formula without recursion', () => {
    expect(calculate(Array.from({ length: 250 }, () => '1').join('+'))).toBe(250);
    expect(calculate(`${'-'.repeat(500)}1`)).toBe(1);
  });
});
