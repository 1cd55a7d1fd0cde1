// The formula of a multi grader: numbers, the names of graders, `+ - * / ^`, parentheses and a few functions.
import { GradingError } from './faults.js';

export type Formula = (values: Readonly<Record<string, number>>) => number;

const FUNCTIONS: Readonly<Record<string, { of: (...values: number[]) => number; takes: number }>> = {
  min: { of: Math.min, takes: Number.POSITIVE_INFINITY },
  max: { of: Math.max, takes: Number.POSITIVE_INFINITY },
  abs: { of: Math.abs, takes: 1 },
  floor: { of: Math.floor, takes: 1 },
  ceil: { of: Math.ceil, takes: 1 },
  exp: { of: Math.exp, takes: 1 },
  sqrt: { of: Math.sqrt, takes: 1 },
  log: { of: Math.log, takes: 1 },
};

const TOKEN = /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|[-+*/^(),]))/y;

type Token = { number: number } | { name: string } | { sign: string };

/** Deeper formulas are refused, so that one cannot exhaust the stack. */
const DEEPEST = 100;

/** Throws a `GradingError` for what is not a formula, or for a name that is not among these. */
export function parseFormula(text: string, names: readonly string[]): Formula {
  const tokens = tokenize(text);
  let at = 0;
  let depth = 0;

  const peek = () => tokens[at];
  const isSign = (sign: string) => {
    const token = peek();
    return token !== undefined && 'sign' in token && token.sign === sign;
  };
  const takes = (sign: string) => isSign(sign) && at++ >= 0;
  function expect(sign: string): void {
    if (!takes(sign)) throw wrong(`expected \`${sign}\` ${place()}`);
  }
  function place(): string {
    const token = peek();
    if (token === undefined) return 'at the end';
    return `before \`${'sign' in token ? token.sign : 'name' in token ? token.name : token.number}\``;
  }

  function sum(): Formula {
    if (++depth > DEEPEST) throw wrong('it is nested too deeply');
    let left = product();
    for (;;) {
      const first = left;
      if (takes('+')) left = combine(first, product(), (a, b) => a + b);
      else if (takes('-')) left = combine(first, product(), (a, b) => a - b);
      else break;
    }
    depth--;
    return left;
  }

  function product(): Formula {
    let left = signed();
    for (;;) {
      const first = left;
      if (takes('*')) left = combine(first, signed(), (a, b) => a * b);
      else if (takes('/')) left = combine(first, signed(), (a, b) => a / b);
      else return left;
    }
  }

  /** A sign binds less than a power: `-2 ^ 2` is -4. */
  function signed(): Formula {
    let isNegative = false;
    for (; isSign('-') || isSign('+'); at++) if (isSign('-')) isNegative = !isNegative;
    const value = power();
    return isNegative ? values => -value(values) : value;
  }

  function power(): Formula {
    const base = atom();
    if (!takes('^') && !takes('**')) return base;
    if (++depth > DEEPEST) throw wrong('it is nested too deeply');
    const exponent = signed();
    depth--;
    return combine(base, exponent, (a, b) => a ** b);
  }

  function atom(): Formula {
    const token = peek();
    if (takes('(')) {
      const inner = sum();
      expect(')');
      return inner;
    }
    if (token === undefined || 'sign' in token) throw wrong(`expected a number or a name ${place()}`);
    at++;
    if ('number' in token) return () => token.number;
    const { name } = token;
    if (isSign('(')) return call(name);
    if (!names.includes(name))
      throw new GradingError(
        'invalid_variable_error',
        `The formula names \`${name}\`, which is not among its graders: ${names.join(', ')}.`,
      );
    return values => values[name]!;
  }

  function call(name: string): Formula {
    const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (!known) throw wrong(`\`${name}\` is not a function; there are ${Object.keys(FUNCTIONS).join(', ')}`);
    expect('(');
    const given = [sum()];
    while (takes(',')) given.push(sum());
    expect(')');
    if (given.length > known.takes) throw wrong(`\`${name}\` takes one value`);
    return values => known.of(...given.map(value => value(values)));
  }

  const formula = sum();
  if (at < tokens.length) throw wrong(`expected an operator ${place()}`);
  return formula;
}

const combine =
  (left: Formula, right: Formula, of: (a: number, b: number) => number): Formula =>
  values =>
    of(left(values), right(values));

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const written = text.trimEnd();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < written.length) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(written);
    if (!match) throw wrong(`\`${written.slice(from).trim()[0]}\` means nothing here`);
    const [, number, name, sign] = match;
    if (number !== undefined) tokens.push({ number: Number(number) });
    else tokens.push(name !== undefined ? { name } : { sign: sign! });
  }
  return tokens;
}

const wrong = (why: string) => new GradingError('formula_parse_error', `The formula cannot be read: ${why}.`);
