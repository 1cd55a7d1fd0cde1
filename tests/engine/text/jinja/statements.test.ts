// What Python's Jinja writes, as transformers sets it up. The wanted texts were computed there.
import { describe } from 'vitest';
import { rejects, writes } from './golden.js';

describe('statements', () => {
  writes([
    ['{% set x = 1 %}{% for i in xs %}{% set x = x + i %}{{ x }};{% endfor %}{{ x }}', '4;2;3;1'],
    ['{% for i in xs %}{% if y is defined %}leak{% endif %}{% set y = i %}{{ y }}{% endfor %}{{ y }}', '312'],
    [
      '{% set ns = namespace(c=0, l=[]) %}{% for i in xs %}{% set ns.c = ns.c + i %}{% endfor %}{{ ns.c }}{{ ns.z }}{{ ns.l }}',
      '6[]',
    ],
    ['{% for i in xs %}a{{ i }}{% if i == 1 %}{% break %}{% endif %}b{% endfor %}', 'a3ba1'],
    ['{% for i in xs %}a{{ i }}{% if i == 1 %}{% continue %}{% endif %}b{% endfor %}', 'a3ba1a2b'],
    [
      '{% for i in xs %}{% for j in xs %}{% if j == 1 %}{% break %}{% endif %}{{ i }}{{ j }} {% endfor %}{% endfor %}',
      '33 13 23 ',
    ],
    [
      '{% macro m(a, b=2) %}{{ a }}{{ b }}{{ z }}{% endmacro %}{% for z in xs %}{{ m(z) }},{% endfor %}',
      '32,12,22,',
    ],
    [
      "{% set z = 'Z' %}{% macro m() %}{{ z }}{% endmacro %}{{ m() }}{% set z = 'Y' %}{{ m() }}{% for z in xs %}{{ m() }}{% endfor %}",
      'ZYYYY',
    ],
    ['{% macro m() %}{{ z }}{% endmacro %}{% set z = 1 %}{{ m() }}', '1'],
    ['{% macro m() %}{% set q = 1 %}{{ q }}{% endmacro %}{{ m() }}{{ q }}', '1'],
    [
      '{% macro m(a) %}{{ a }}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, 3, x=4) }}{{ m() }}',
      "1(2, 3){'x': 4}(){}",
    ],
    ['{% macro m(a, b=a) %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }}{{ m(b=2, a=3) }}', '1132'],
    [
      '{% macro m(l) %}{% for x in l %}{% if x is iterable %}{{ m(x) }}{% else %}{{ x }}{% endif %}{% endfor %}{% endmacro %}{{ m([1,[2,[3]]]) }}',
      '123',
    ],
    [
      '{% macro w() %}<{{ caller() }}>{% endmacro %}{% call w() %}in{% endcall %}{{ w is defined }}',
      '<in>True',
    ],
    [
      '{% macro w(l) %}{% for x in l %}<{{ caller(x) }}>{% endfor %}{% endmacro %}{% call(x) w(xs) %}{{ x * 2 }}{% endcall %}',
      '<6><2><4>',
    ],
    ['{% macro w() %}{{ caller is defined }}{% endmacro %}{{ w() }}', 'False'],
    [
      '{% macro w() %}{{ caller() }}{% endmacro %}{% call w() %}{% set q = 1 %}{{ q }}{% endcall %}{{ q }}',
      '1',
    ],
    ['{% set b %}a{{ xs }}{% set q = 1 %}{% endset %}{{ b }}{{ b is string }}{{ q }}', 'a[3, 1, 2]True'],
    ["{% set b | upper | replace('A', 'x') %}aB{{ s }}{% endset %}{{ b }}", 'xBHELLO WORLD'],
    ['{% filter upper %}a{{ s }}{% set q = 1 %}{% endfilter %}{{ q }}', 'AHELLO WORLD'],
    ['{% filter indent(2) %}a\nb{% endfilter %}', 'a\n  b'],
    ['{% set a = 1, 2 %}{{ a }}', '(1, 2)'],
    ['{% for a, b in d.items() %}{{ a }}={{ b }};{% endfor %}', 'b=1;a=[True, None, 1.5];'],
    ['{% for a, b in d|dictsort %}{{ a }}={{ b }};{% endfor %}', 'a=[True, None, 1.5];b=1;'],
    [
      '{% for p in people if p.age > 10 %}{{ loop.index }}{{ p.n }}{{ loop.last }}{% else %}none{% endfor %}',
      '1AdaFalse2CyTrue',
    ],
    ['{% for p in people if p.age > 100 %}{{ p.n }}{% else %}none{% endfor %}', 'none'],
    ['{% for p in missing %}x{% else %}none{% endfor %}', 'none'],
    ['{% for x in xs %}{{ x }}{% break %}{% else %}none{% endfor %}', '3none'],
    ['{% for x in xs %}{% if x > 0 %}{% continue %}{% endif %}x{% else %}none{% endfor %}', 'none'],
    ['{% for x in xs %}{{ x }}{% if x == 1 %}{% break %}{% endif %}{% else %}none{% endfor %}', '31'],
    ['{% for p in d %}{{ p }}{% endfor %}', 'ba'],
    ["{% for p in 'é😀' %}{{ p }},{% endfor %}", 'é,😀,'],
    [
      "{% for i in xs %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }}{{ loop.previtem }}{{ loop.nextitem }}{{ loop.cycle('a','b') }}{{ loop.changed(i > 1) }}{{ loop.depth }};{% endfor %}",
      '1032TrueFalse31aTrue1;2121FalseFalse332bTrue1;3210FalseTrue31aTrue1;',
    ],
    [
      '{% for i in xs %}{% for j in [1,2] %}{{ loop.index }}{% endfor %}{{ loop.index }}{% endfor %}{{ loop is defined }}',
      '121122123False',
    ],
    ['{% for i in xs %}{% set o = loop %}{% for j in [1] %}{{ o.index }}{% endfor %}{% endfor %}', '123'],
    ['{% for i in xs %}{{ loop.nope }}{% endfor %}', ''],
    ['{% for i in xs %}{{ loop.previtem is defined }}{% endfor %}', 'FalseTrueTrue'],
    [
      "{% set g = xs|map('string') %}{% for i in g %}{{ i }}{% endfor %}{% for i in g %}{{ i }}{% endfor %}{{ g is defined }}{% if g %}t{% endif %}",
      '312Truet',
    ],
    ['{% for i in xs %}{{ i }}{% endfor %}{{ i }}', '312'],
    ['{% set i = 9 %}{% for i in xs %}{% endfor %}{{ i }}', '9'],
    ['{% if missing %}a{% elif xs %}b{% else %}c{% endif %}', 'b'],
    ["{% if '' or 0 or [] or {} or none or 0.0 %}a{% else %}c{% endif %}", 'c'],
    ["{{ 'a' if missing }}|{{ 'a' if xs else 'b' }}|{{ ('a' if missing) is defined }}", '|a|False'],
    ["{{ namespace(a=1).a }}{{ namespace({'b': 2}).b }}{{ namespace(a=1).b }}", '12'],
    [
      "{{ dict(a=1, b=xs) }}{{ dict([('x', 1)]) }}{{ dict({'z': 1}, y=2) }}",
      "{'a': 1, 'b': [3, 1, 2]}{'x': 1}{'z': 1, 'y': 2}",
    ],
    ["{% set j = joiner('|') %}{% for i in xs %}{{ j() }}{{ i }}{% endfor %}", '3|1|2'],
    ["{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.next() }}{{ c.next() }}{{ c.current }}", 'abab'],
    ['{{ range(5, 0, -2)|list }}{{ range(0)|list }}{{ range(3)[1] }}{{ range(3)[-1] }}', '[5, 3, 1][]12'],
    ['{{ xs|sort|join }}{{ xs }}', '123[3, 1, 2]'],
    ['a\r\n{% if true %}\r\nb\r\n{% endif %}\r\nc\rd', 'a\nb\nc\nd'],
    ['  {% if true %}\n  x\n  {% endif %}\n  y\n', '  x\n  y'],
    ['{# c #}\n  {#- d -#}  x {{- 1 -}}  y', 'x1y'],
    ["{{ '\n' }}|", '\n|'],
    ['{% generation %}{% set q = 1 %}{{ s }}{% endgeneration %}{{ q }}', 'Hello World'],
    ['a {%- generation -%} b {%- endgeneration -%} c', 'abc'],
    ["{% macro f() %}{{ kwargs.a }}{% endmacro %}{{ f(**{'a': 1}) }}", '1'],
    ['{% macro f(a, b) %}{{ a }}{{ b }}{% endmacro %}{{ f(*[1, 2]) }}', '12'],
    ['{% macro f(a) %}{{ a }}{% endmacro %}{% set h = f %}{{ h(3) }}', '3'],
    ['{% for i in xs %}{% macro f() %}{{ i }}{% endmacro %}{{ f() }}{% endfor %}', '312'],
    ['ok', 'ok'],
    ['{{ people[0].n.nope }}', ''],
    [
      "{% for m in people %}{{ '<' + m['n'] + '>' }}{% if (m.n == 'bob') != (loop.index0 % 2 == 0) %}!{% endif %}{% endfor %}",
      '<Ada>!<bob>!<Cy>!',
    ],
    ['{% for i in range(3) %}{% set x = [i] %}{{ x }}{% endfor %}', '[0][1][2]'],
    ['{% set x = d %}{{ x.b }}{% set y = x.a[1:] %}{{ y }}', '1[None, 1.5]'],
    ["{% set content = s if s is string else 'x' %}{{ content.split(' ')[-1].lstrip('W') }}", 'orld'],
    [
      "{{ (s|upper).lower() }}{{ ('a' ~ 1)|length }}{{ (xs|length) - 1 }}{{ xs|length - 1 }}",
      'hello world222',
    ],
  ]);

  rejects([
    ['{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}', "macro 'm' takes not more than 1 argument(s)"],
    ['{% macro m(a) %}{{ a }}{% endmacro %}{{ m(b=2) }}', "macro 'm' takes no keyword argument 'b'"],
    ['{% macro m(a) %}{{ a + 1 }}{% endmacro %}{{ m() }}', "parameter 'a' was not provided"],
    [
      '{% macro w() %}x{% endmacro %}{% call w() %}in{% endcall %}',
      "macro 'w' takes no keyword argument 'caller'",
    ],
    ['{% set a, b = 1, 2 %}{{ a }}{{ b }}{% set a, b = xs %}', '3 items cannot be unpacked into 2 variables'],
    ['{% set d.z = 1 %}', 'cannot assign attribute on non-namespace object'],
    ['{% for a, b in xs %}{% endfor %}', "'int' object is not iterable"],
    ['{% for p in none %}x{% endfor %}', "'NoneType' object is not iterable"],
    ['{% for p in 1 %}x{% endfor %}', "'int' object is not iterable"],
    ["{{ ('a' if missing) + 'b' }}", 'the condition of an expression without an else is false'],
    ["{{ raise_exception('no: ' ~ s) }}", 'no: Hello World'],
    ['{{ range(1, 2, 0) }}', 'range() arg 3 must not be zero'],
    ["{{ [1] | batch(1000000000, 'x') | list }}", 'a list of 1000000000 items is too long for a template'],
    ['{{ ([0] * 1000000000) | length }}', 'a list of 1000000000 items is too long for a template'],
    ['{{ 1.5 | round(200) }}', 'round with a precision of 200 is not supported'],
    ["{{ cycler('a').valueOf() }}", "has no attribute 'valueOf'"],
    ["{{ range('a') }}", 'range() needs an integer, not str'],
    ['{{ nope_function() }}', "'nope_function' is undefined"],
    ['{{ xs.nope() }}', "'list object' has no attribute 'nope'"],
    ['{{ d.a.b.c }}', "'list object' has no attribute 'b'"],
  ]);
});

describe('what is not supported is an error that names it', () => {
  rejects([
    ['{{ "%s" % 1 }}', 'formatting text with % is not supported'],
    ['{{ "%s"|format(1) }}', 'there is no filter format, or it is not supported'],
    ['{{ "{}".format(1) }}', 'the method str.format is not supported'],
    ['{{ "a".encode() }}', 'the method str.encode is not supported'],
    ['{{ "ff"|int(base=16) }}', 'the filter int with a base is not supported'],
    ['{{ xs|map("upper") }}', 'a generator cannot be written as text'],
    ['{{ s.upper }}', 'a function cannot be written as text'],
    ['{{ 123456789012345678901 }}', 'is too large'],
    ['{% raw %}{{ x }}{% endraw %}', 'Unknown statement type: raw'],
    ['{%+ if true %}{% endif %}', 'Unknown statement'],
    ["{{ '\\d' }}", 'Unexpected escaped character: d'],
    ['{{ (1,) }}', 'Unexpected token: CloseParen'],
    ['{% break %}', 'break and continue have to be in a loop'],
  ]);
});
