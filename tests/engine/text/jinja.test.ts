// What Python's Jinja writes, as Python 3.12 and Jinja 3.1 do.
import { describe, expect, it } from 'vitest';
import { parseJinja } from '../../../lib/engine/text/jinja/index.js';
import { assistant, learnedParts, openTiny, user } from './tiny-text.js';

const write = (expression: string, variables = {}) => parseJinja(`{{- ${expression} -}}`).render(variables);

describe('strip', () => {
  it.each([
    [`x.lstrip('\\n')`, '  a \n\n'],
    [`x.rstrip('\\n')`, '\n\n  a '],
    [`x.strip('\\n')`, '  a '],
    [`x.strip(' \\n')`, 'a'],
    [`x.strip()`, 'a'],
    [`x.strip(none)`, 'a'],
    [`(x | string).strip('\\n').lstrip(' ')`, 'a '],
    [`x.split('a')[0].rstrip(' ') + x.lstrip('\\n')`, '\n\n  a \n\n'],
  ])('removes the given characters only: %s', (expression, wanted) => {
    expect(write(expression, { x: '\n\n  a \n\n' })).toBe(wanted);
  });

  it('does so wherever it is called, and only with a text', () => {
    const template = parseJinja(
      `{% macro cut(x) %}{{ {'a': [x.strip('.') | upper]} | tojson }}{% endmacro %}` +
        `{% for x in all if x.lstrip('.') %}{% set y = cut(x) %}{{ y }}{% endfor %}`,
    );
    expect(template.render({ all: ['.a.', '.', ' b'] })).toBe('{"a": ["A"]}{"a": [" B"]}');
    expect(() => write(`x.strip('.')`, { x: 1 })).toThrow("'int object' has no attribute 'strip'");
    expect(write(`'👋a👋'.strip('👋')`)).toBe('a');
  });
});

describe('a value as a text', () => {
  it.each<[unknown, string]>([
    [null, 'None'],
    [true, 'True'],
    [false, 'False'],
    [3, '3'],
    [1e21, '1000000000000000000000'],
    [0.5, '0.5'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [-1.5e-7, '-1.5e-07'],
    ['a\n"', 'a\n"'],
    [[], '[]'],
    [['a', 1, null, [true]], "['a', 1, None, [True]]"],
    [{ a: { b: 'c' }, d: [] }, "{'a': {'b': 'c'}, 'd': []}"],
    [["it's", `' and "`], `["it's", '\\' and "']`],
    [['a\\b\n\u0007\u00a0\u2028é👋'], "['a\\\\b\\n\\x07\\xa0\\u2028é👋']"],
  ])('is that of Python: %j', (x, wanted) => {
    expect(write('x | string', { x })).toBe(wanted);
  });

  it('keeps the type of what was computed', () => {
    expect(write('(4 / 2) | string')).toBe('2.0');
    expect(write('(-0.0) | string')).toBe('-0.0');
    expect(write('(1, 2.0) | string')).toBe('(1, 2.0)');
    expect(write('missing | string')).toBe('');
    expect(() => write('range | string')).toThrow('cannot be written as text');
  });
});

it('the indentation of an answer is learned, though a template strips the lines before it', async () => {
  const template =
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content.lstrip('\\n') + '<|im_end|>\\n' }}{% endfor %}" +
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";
  const text = await openTiny({ template });
  const code = '    if x:\n        return 1\n';
  const row = { messages: [user('Go on.'), assistant(`\n${code}`)] };
  expect(learnedParts(text, text.encodeRow(row))).toEqual([`${code}<|im_end|>`]);
});
