// JSON as Python reads and writes it: json.dumps(json.loads(text)).
import { describe, expect, it } from 'vitest';
import { readJson, writeJson } from '../../../../lib/engine/text/jinja/index.js';

describe('JSON that is read and written', () => {
  it.each([
    ['1234567890123456789', '1234567890123456789'],
    ['-12345678901234567890', '-12345678901234567890'],
    ['1.0', '1.0'],
    ['1e-07', '1e-07'],
    ['1E5', '100000.0'],
    ['1e16', '1e+16'],
    ['-0', '0'],
    ['-0.0', '-0.0'],
    ['0.1', '0.1'],
    ['100000000000000000000.0', '1e+20'],
    ['{"b":1,"10":2,"2":3,"a":4}', '{"b": 1, "10": 2, "2": 3, "a": 4}'],
    ['{"a":1,"b":2,"a":3}', '{"a": 3, "b": 2}'],
    ['[]', '[]'],
    ['{}', '{}'],
    ['[1,[2,{"x":[null,true,false]}]]', '[1, [2, {"x": [null, true, false]}]]'],
    ['"a\\"b\\\\\\\\\\u00e9\\\\n,[]{}: 1"', '"a\\"b\\\\\\\\\u00e9\\\\n,[]{}: 1"'],
    [' { "a" : [ 1 , 2 ] } ', '{"a": [1, 2]}'],
    ['{"__proto__":1}', '{"__proto__": 1}'],
    ['"\\\\u0041"', '"\\\\u0041"'],
    ['1e400', 'Infinity'],
  ])('keeps its numbers and its order: %s', (text, wanted) => {
    expect(writeJson(readJson(text))).toBe(wanted);
  });

  it.each(['', '{', '[1,]', '01', 'NaN', "{'a': 1}", '1 2'])('is refused if it is not JSON: %s', text => {
    expect(() => readJson(text)).toThrow(SyntaxError);
  });
});
