// Texts of others and of the keyboard: what is left of them, and their parts.
import { describe, expect, it } from 'vitest';
import {
  asciiGlyphs,
  codeParts,
  commandProblem,
  displayWidth,
  errorText,
  fieldProblem,
  firstWord,
  lastWord,
  splitAtCursor,
  splitCommandLine,
  toAscii,
  toFieldLine,
  toFieldText,
  toSafeLine,
  toSafeText,
  toTyped,
  unicodeGlyphs,
} from '../../lib/console/index.js';
import { wordChanges } from '../../lib/console/job/samples.js';

describe('text of others', () => {
  it.each([
    ['a color', '\u001b[31mred\u001b[0m', 'red'],
    ['what clears the screen', 'a\u001b[2J\u001b[Hb', 'ab'],
    ['a title', 'a\u001b]0;title\u0007b', 'ab'],
    ['what writes to the clipboard', 'a\u001b]52;c;aGk=\u001b\\b', 'ab'],
    ['a picture', 'a\u001bP1;2q\u001b\\b', 'ab'],
    ['sequences of one byte', 'a\u009b31mb\u009d0;t\u009cc', 'abc'],
    ['a character set and a reset', 'a\u001b(0b\u001bcc', 'abc'],
    ['control characters', 'a\u0000\u0007\b\u007f\u0085b', 'ab'],
    ['marks that turn or hide what is written', 'a\u202eb\u2066c\u200bd\ufeffe', 'abcde'],
    ['tags that nobody sees', 'a\u{e0041}b', 'ab'],
  ])('loses %s', (_, text, safe) => expect(toSafeText(text)).toBe(safe));

  it.each(['\u001b', '\u001b[', '\u001b]0;x', '\u001b\u001b[31', 'x\u001b[31'])(
    'never keeps an escape, even of a sequence without an end: %j',
    text => expect(toSafeText(text)).not.toContain('\u001b'),
  );

  it.each(['Überprüfung 翻訳 🚀 é\nsecond line', '👩‍🚀'])('keeps what people write: %s', text =>
    expect(toSafeText(text)).toBe(text),
  );

  it('shows half a character as a replacement, a tab as blanks, and one line where one is wanted', () => {
    expect([toSafeText('a\ud83db'), toSafeText('a\tb')]).toEqual(['a\ufffdb', 'a  b']);
    expect(toSafeLine('a\r\nb\tc\u2028d')).toBe('a b c d');
  });
});

it.each([
  ['abc', 0, { before: 'abc', last: 'c', atCursor: '', after: '', rest: '' }],
  ['abc', 2, { before: 'a', last: 'a', atCursor: 'b', after: 'bc', rest: 'c' }],
  ['a👍🏽b', 5, { before: 'a', last: 'a', atCursor: '👍🏽', after: '👍🏽b', rest: 'b' }],
  ['a👍🏽b', 1, { before: 'a👍🏽', last: '👍🏽', atCursor: 'b', after: 'b', rest: '' }],
  ['ab', 9, { before: '', last: '', atCursor: 'a', after: 'ab', rest: 'b' }],
])('splits %s at a cursor %d before its end, between whole characters', (text, behind, parts) =>
  expect(splitAtCursor(text, behind)).toEqual(parts),
);

it.each([
  ['one two-three', 'one', 'three'],
  [' one, two ', ' one', 'two '],
  ['नमस्ते 翻訳👍🏽', 'नमस्ते', '翻訳👍🏽'],
  ['…', '…', '…'],
  ['', '', ''],
])(
  'the first and the last word of "%s" have what is before the one and after the other',
  (text, first, last) => expect([firstWord(text), lastWord(text)]).toEqual([first, last]),
);

it('types nothing that no key types', () => expect(toTyped('a\ud83d\u001b[2Jb\nc')).toBe('ab c'));

it.each([
  ['a\r\nb\n\tc', 'a⏎b⏎⇥c', 'a\nb\n\tc'],
  ['tabs\t\tonly', 'tabs⇥⇥only', 'tabs\t\tonly'],
  ['signs ⏎ and ⇥', 'signs ⏎ and ⇥', 'signs ⏎ and ⇥'],
  ['翻訳 👍', '翻訳 👍', '翻訳 👍'],
])('%j is %j in a field, and %j after it', (text, line, after) => {
  expect([toFieldLine(text), toFieldText(line, text), fieldProblem(text)]).toEqual([line, after, null]);
});

it.each(['\u200f', '\u200b', '\u00ad', '\u2028', '\u001b[2J', '\ud83d', '⏎\n', '\t⇥'])(
  'a field would not hold %j, which is refused',
  text => expect(fieldProblem(`a${text}b`)).toContain('Edit it in Studio.'),
);

it.each([
  ['plain', 'plain'],
  ['cafe\u0301… · 翻', 'cafe. - ??'],
  ['– ’', "- '"],
  ['⏎ ⇥', '| >'],
  ['−0.5 → ±1 ← “a” ‹b›', '-0.5 > ~1 < "a" <b>'],
])('%s keeps its width in ASCII', (text, ascii) =>
  expect([toAscii(text), displayWidth(ascii)]).toEqual([ascii, displayWidth(text)]),
);

it('has every glyph in ASCII', () => {
  expect(JSON.stringify(asciiGlyphs)).toMatch(/^[ -~]+$/);
  expect(Object.keys(asciiGlyphs)).toEqual(Object.keys(unicodeGlyphs));
});

describe('a command line', () => {
  it.each([
    ['between blanks', 'jobs list --json', ['jobs', 'list', '--json']],
    ['of nothing', '   ', []],
    ['without the name of the program', 'svc keys issue', ['keys', 'issue']],
    ['in quotes', `a "two words" '' "it\\"s" 'a\\b'`, ['a', 'two words', '', 'it"s', 'a\\b']],
    ['with an escaped blank', 'a\\ b', ['a b']],
    ['with quotes in the middle', `--label=un"qu"o'ted'`, ['--label=unquoted']],
    [
      'that only a shell would take for more',
      'jobs $HOME `id` $(id) *.ts | cat > x && y ; z',
      ['jobs', '$HOME', '`id`', '$(id)', '*.ts', '|', 'cat', '>', 'x', '&&', 'y', ';', 'z'],
    ],
  ])('becomes arguments %s', (_, line, args) => expect(splitCommandLine(line)).toEqual({ args }));

  it('says when a quote is open, and runs nothing that wants a terminal for itself', () => {
    expect(splitCommandLine(`jobs "x`)).toEqual({ problem: 'Missing closing ".' });
    expect(commandProblem(['dev'])).toContain('svc dev');
    expect(commandProblem(['watch', 'x'])).toContain('svc watch');
    expect(commandProblem(['jobs', 'list'])).toBeNull();
  });
});

it.each([
  ['Run `svc login` or `svc doctor`.', ['Run ', ['svc login'], ' or ', ['svc doctor'], '.']],
  ['`n` is required', [['n'], ' is required']],
  ['plain', ['plain']],
  ['', []],
  ['one ` alone, two `` empty', ['one ` alone, two `` empty']],
  ['not `over\nlines`', ['not `over\nlines`']],
])('%j has its code told apart, without the backticks', (text, parts) =>
  expect(codeParts(text).map(({ text, isCode }) => (isCode ? [text] : text))).toEqual(parts),
);

it('an error is its message, and a sentence all the same where it says nothing', () => {
  expect([errorText(new Error('No such job.')), errorText('as text')]).toEqual(['No such job.', 'as text']);
  for (const error of [new Error(''), new Error(' \n'), '', undefined, null])
    expect(errorText(error)).toBe('The request failed without giving a reason. Try again.');
});

it.each([
  ['the parcel is late', 'the parcel is lost', ['the parcel is ', '*lost']],
  ['', 'all new', ['*all new']],
  ['same', 'same', ['same']],
  ['a b c', 'b c d', ['b c', '* d']],
  ['{"desk":"coin"}', '{"desk":"box","heat":2}', ['{"desk":"', '*box', '"', '*,"heat":2', '}']],
  ['gone', '', []],
])('what changed between two texts from %j to %j', (before, after, runs) => {
  const changes = wordChanges(before, after);
  expect(changes.map(({ text, isNew }) => (isNew ? `*${text}` : text))).toEqual(runs);
  expect(changes.map(({ text }) => text).join('')).toBe(after);
});

it('what changed between two texts is everything where the texts are too long to compare', () => {
  const long = 'word '.repeat(2000);
  expect(wordChanges(long, `${long}end`)).toEqual([{ text: `${long}end`, isNew: true }]);
});
