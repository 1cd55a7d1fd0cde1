import { describe, expect, it } from 'vitest';
import { BINDINGS, bindingsIn, findCommand, SCOPES, type Scope } from '../../cli/dashboard/core/bindings.js';
import { hintLine } from '../../cli/dashboard/core/hints.js';
import { keyLabel, keysLabel } from '../../cli/dashboard/core/key-names.js';
import { lineWidth } from '../../cli/dashboard/drawing/line.js';
import { asciiGlyphs, unicodeGlyphs } from '../../cli/dashboard/terminal/glyphs.js';
import { helpLines } from '../../cli/dashboard/views/readers/help.js';

const all = () => true;
const textOf = (line: readonly { text: string }[]) => line.map(({ text }) => text).join('');

describe('the table', () => {
  it('has each key once in a place', () => {
    for (const scope of Object.keys(SCOPES)) {
      const keys = BINDINGS.filter(binding => binding.scope === scope).flatMap(
        binding => binding.keys as readonly string[],
      );
      expect(new Set(keys).size, scope).toBe(keys.length);
    }
  });

  it('has every key that is promised', () => {
    const global: [string, string][] = [
      ['1', 'showOverview'],
      ['2', 'showJobs'],
      ['3', 'showPlayground'],
      ['4', 'showEndpoints'],
      ['escape', 'back'],
      ['r', 'refresh'],
      ['R', 'run'],
      ['o', 'openBrowser'],
      ['c', 'copy'],
      ['?', 'help'],
      [':', 'commandLine'],
      ['q', 'quit'],
    ];
    for (const [key, command] of global) expect(findCommand(['anywhere'], key, all)).toBe(command);
    for (const [key, command] of [
      ['/', 'search'],
      ['f', 'nextFilter'],
      ['enter', 'openChosen'],
      ['j', 'next'],
      ['down', 'next'],
      ['k', 'previous'],
      ['up', 'previous'],
    ])
      expect(findCommand(['jobs', 'list', 'anywhere'], key!, all)).toBe(command);
    for (const [key, command] of [
      ['a', 'toggleAdvanced'],
      ['y', 'toggleLog'],
      ['s', 'toggleSmooth'],
      ['left', 'cursorLeft'],
      ['h', 'cursorLeft'],
      ['l', 'cursorRight'],
    ])
      expect(findCommand(['job', 'anywhere'], key!, all)).toBe(command);
  });

  it('gives the innermost place the word, unless it has nothing to do there', () => {
    const scopes: Scope[] = ['deployment', 'anywhere'];
    expect(findCommand(scopes, 's', all)).toBe('copySample');
    expect(findCommand(['overview', 'anywhere'], 'R', all)).toBe('run');
    expect(findCommand(['jobs', 'anywhere'], 'escape', name => name !== 'back')).toBeNull();
  });

  it('leaves letters to the text while one types', () => {
    for (const scope of ['search', 'message', 'label', 'commandLine', 'typing'] as const)
      for (const { keys } of bindingsIn([scope]))
        for (const key of keys) expect(key.length, key).toBeGreaterThan(1);
  });
});

describe('the hints', () => {
  const hints = (scopes: Scope[], width = 200, offers: (name: string) => boolean = all) =>
    textOf(hintLine(scopes, { width, glyphs: unicodeGlyphs, offers }));

  it('say what the place offers, and help and quit at the end', () => {
    expect(hints(['jobs', 'list', 'anywhere'])).toMatch(
      /^ \/ search {2}f filter {2}t tags {2}s sweep {2}v columns {2}Enter open {2}↑↓ move .*\? help {2}q quit $/,
    );
  });

  it('leave out what would do nothing', () => {
    expect(hints(['playground', 'anywhere'], 200, name => name !== 'stop')).not.toContain('stop');
  });

  it('leave out what has no room, but never how to go back, help and quit', () => {
    for (let width = 30; width < 120; width++) {
      const line = hintLine(['job', 'anywhere'], { width, glyphs: unicodeGlyphs, offers: all });
      expect(lineWidth(line)).toBe(width);
      expect(textOf(line)).toMatch(/ {3}Esc back {2}\? help {2}q quit $/);
    }
  });

  it('say of a job to be chosen that it is chosen, not opened', () => {
    expect(hints(['picker', 'list', 'anywhere'])).toMatch(/^ Enter choose {2}↑↓ move .*Esc back/);
  });
});

describe('the help screen', () => {
  it('has every binding of the table, those of here first', () => {
    const lines = helpLines(['job', 'anywhere'], 76, unicodeGlyphs).map(textOf);
    expect(lines[0]).toBe('Job');
    for (const { does } of BINDINGS)
      expect(
        lines.some(line => line.endsWith(` ${does}`)),
        does,
      ).toBe(true);
  });

  it('says all of what a key does where there is little room', () => {
    const lines = helpLines(['job', 'anywhere'], 36, unicodeGlyphs);
    expect(Math.max(...lines.map(lineWidth))).toBeLessThanOrEqual(36);
    const text = lines.map(textOf).join(' ').replace(/ +/g, ' ');
    for (const { does } of BINDINGS) expect(text).toContain(does);
  });

  it('stands in two columns where they have room, and loses nothing', () => {
    const text = helpLines(['job'], 116, unicodeGlyphs).map(textOf).join('\n');
    for (const { does } of BINDINGS) expect(text).toContain(does);
  });
});

it('writes keys as they stand on a keyboard', () => {
  expect(
    ['up', 'ctrl-u', 'shift-left', 'pagedown', 'R', ' '].map(key => keyLabel(key, unicodeGlyphs)),
  ).toEqual(['↑', 'Ctrl-U', 'Shift-←', 'PgDn', 'R', 'Space']);
  expect(keysLabel(['up', 'down'], unicodeGlyphs)).toBe('↑↓');
  expect(keysLabel(['up', 'down'], asciiGlyphs)).toBe('Up/Down');
});
