// The keys of the dashboard: their table, what is looked up in it and when, and what the hints and the help say of it.
import type { Key } from 'ink';
import { describe, expect, it } from 'vitest';
import {
  bindingsIn,
  type CommandName,
  type Commands,
  findCommand,
  inScope,
  SCOPES,
  type Scope,
} from '../../cli/dashboard/keys/bindings.js';
import { createKeymap, type Keymap } from '../../cli/dashboard/keys/commands.js';
import { keyLabel, keyName, keysLabel } from '../../cli/dashboard/keys/key-names.js';
import { asciiGlyphs, displayWidth, type Location, unicodeGlyphs } from '../../lib/console/index.js';
import { fakeStudio, JOB_ID, jobSummary } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';

const all = () => true;

describe('the table', () => {
  it('has each key once in a place', () => {
    for (const scope of Object.keys(SCOPES)) {
      const keys = inScope(scope as Scope).flatMap(({ keys }) => keys);
      expect(new Set(keys).size, scope).toBe(keys.length);
    }
  });

  const ANYWHERE = `1 showOverview, 2 showJobs, 3 showPlayground, 4 showEndpoints, escape back, r refresh, R run,
    o openBrowser, c copy, ? help, : commandLine, q quit`;
  const IN_JOBS = '/ search, f nextFilter, enter openChosen, j next, down next, k previous, up previous';
  const IN_JOB =
    'a toggleAdvanced, y toggleLog, s toggleSmooth, left cursorLeft, h cursorLeft, l cursorRight';

  it.each<[place: string, scopes: Scope[], keys: string]>([
    ['anywhere', ['anywhere'], ANYWHERE],
    ['in the jobs list', ['jobs', 'list', 'anywhere'], IN_JOBS],
    ['in a job', ['job', 'text', 'chart', 'anywhere'], IN_JOB],
  ])('has every key that is promised %s', (_place, scopes, keys) => {
    for (const pair of keys.split(/,\s+/)) {
      const [key, command] = pair.split(' ');
      expect(findCommand(scopes, key!, all), key).toBe(command);
    }
  });

  it('gives the innermost place the word, unless it has nothing to do there', () => {
    const scopes: Scope[] = ['deployment', 'anywhere'];
    expect(findCommand(scopes, 's', all)).toBe('copySample');
    expect(findCommand(['overview', 'anywhere'], 'R', all)).toBe('run');
    expect(findCommand(['picker', 'anywhere'], 'escape', name => name !== 'leavePicker')).toBe('back');
    expect(findCommand(['jobs', 'anywhere'], 'escape', name => name !== 'back')).toBeNull();
  });

  it('leaves letters to the text while one types', () => {
    for (const scope of ['search', 'message', 'label', 'commandLine', 'typing'] as const)
      for (const { keys } of bindingsIn([scope]))
        for (const key of keys) expect(key.length, key).toBeGreaterThan(1);
  });
});

const held = (...flags: (keyof Key)[]) =>
  Object.fromEntries(flags.map(flag => [flag, true])) as unknown as Key;

it.each<[name: string, input: string, key: Key]>([
  ['j', 'j', held()],
  ['G', 'G', held('shift')],
  ['?', '?', held()],
  ['翻', '翻', held()],
  ['enter', '\r', held('return')],
  ['enter', '\n', held()],
  ['escape', '', held('escape')],
  ['tab', '', held('tab')],
  ['shift-tab', '', held('tab', 'shift')],
  ['up', '', held('upArrow')],
  ['up', '', held('upArrow', 'shift')],
  ['shift-left', '', held('leftArrow', 'shift')],
  ['pagedown', '', held('pageDown')],
  ['ctrl-c', 'c', held('ctrl')],
  ['ctrl-u', 'u', held('ctrl')],
  ['backspace', '', held('backspace')],
  ['alt-b', 'b', held('meta')],
  ['escape', '', held('escape', 'meta')],
])('keys are called %s', (name, input, key) => {
  expect(keyName(input, key)).toBe(name);
});

it('keys are written as they stand on a keyboard', () => {
  const labels = ['up', 'ctrl-u', 'shift-left', 'pagedown', 'R', ' '].map(key =>
    keyLabel(key, unicodeGlyphs),
  );
  expect(labels).toEqual(['↑', 'Ctrl-U', 'Shift-←', 'PgDn', 'R', 'Space']);
  expect(keysLabel(['up', 'down'], unicodeGlyphs)).toBe('↑↓');
  expect(keysLabel(['up', 'down'], asciiGlyphs)).toBe('Up/Down');
});

describe('what keys do now', () => {
  type Layer = NonNullable<Parameters<Keymap['offer']>[1]>['layer'];

  function keymapOf() {
    const keymap = createKeymap();
    const done: string[] = [];
    let changes = 0;
    keymap.subscribe(() => changes++);
    /** Offers commands that note their names, and returns how to take them back. */
    const offer = (layer: Layer, scopes: Scope[], names: CommandName[], isTyping = false) => {
      const id = {};
      const commands = Object.fromEntries(names.map(name => [name, () => done.push(`${layer} ${name}`)]));
      keymap.offer(id, { layer, scopes, commands: commands as Commands, isTyping });
      return () => keymap.offer(id, null);
    };
    const press = (...keys: string[]) => {
      done.length = 0;
      for (const key of keys) keymap.press(key);
      return done;
    };
    return { keymap, offer, press, changes: () => changes };
  }

  it('is what the view offers, and behind it the shell', () => {
    const { offer, press } = keymapOf();
    offer('shell', [], ['quit', 'copy']);
    offer('view', ['jobs', 'list', 'anywhere'], ['next', 'copy']);
    expect(press('j', 'c', 'q', 'k', 'x')).toEqual(['view next', 'view copy', 'shell quit']);
  });

  it('is only what is in front, until that is gone', () => {
    const { offer, press, keymap } = keymapOf();
    offer('shell', [], ['quit', 'back']);
    offer('view', ['jobs', 'list', 'anywhere'], ['next']);
    const closeReader = offer('reader', ['reader', 'text'], ['scrollDown', 'leaveReader']);
    expect(press('j', 'q', '2')).toEqual(['reader scrollDown', 'reader leaveReader']);
    const answer = offer('question', ['question'], ['yes', 'no']);
    expect(press('j', 'q')).toEqual(['question no']);
    answer();
    closeReader();
    expect(press('j', 'q')).toEqual(['view next', 'shell quit']);
    expect(keymap.scopes).toEqual(['jobs', 'list', 'anywhere']);
  });

  it('is what every part of a view offers, the one without places of its own too', () => {
    const { offer, press } = keymapOf();
    offer('view', ['rows', 'list', 'anywhere'], ['next']);
    const close = offer('view', [], ['scrollDown']);
    expect(press('J')).toEqual(['view scrollDown']);
    close();
    expect(press('J')).toEqual([]);
  });

  it('is typing while what is in front takes text', () => {
    const { offer, keymap, press } = keymapOf();
    offer('view', ['jobs', 'list', 'anywhere'], ['next']);
    const close = offer('prompt', ['search', 'typing'], ['leaveField'], true);
    expect([keymap.isTyping, press('j', 'escape')]).toEqual([true, ['prompt leaveField']]);
    const answer = offer('question', ['question'], ['no']);
    expect(keymap.isTyping).toBe(false);
    answer();
    close();
    expect(keymap.isTyping).toBe(false);
  });

  it('runs by its name from any layer, and tells when something else is offered', () => {
    const { keymap, offer, changes } = keymapOf();
    const id = {};
    const next = { layer: 'view', scopes: ['list'], isTyping: false } as const;
    keymap.offer(id, { ...next, commands: { next: () => {} } });
    keymap.offer(id, { ...next, commands: { next: () => {}, first: undefined } });
    expect([changes(), keymap.offers('next'), keymap.offers('first')]).toEqual([1, true, false]);
    offer('shell', [], ['quit']);
    expect([changes(), keymap.run('quit'), keymap.run('back')]).toEqual([2, true, false]);
  });
});

const open = (start: Location) =>
  openDashboard({ studio: fakeStudio({ jobs: [jobSummary()] }), start, size: { columns: 160, rows: 24 } });

it('the hints say what the place offers, and help and quit at the end, but not what would do nothing', async () => {
  const jobs = await open({ tab: 'jobs', id: null });
  await jobs.shows('triage', /\n \/ search {2}f filter .*Enter open {2}↑↓ move .*\? help {2}q quit ?$/);
  const playground = await open({ tab: 'playground', id: null });
  await playground.shows('write').hides(/\n.*(stop|retry|back).*$/);
});

it('the hints leave out what has no room, but never how to go back, help and quit', async () => {
  const { shows, resize, lines } = await open({ tab: 'jobs', id: JOB_ID });
  await shows('Esc back');
  for (let width = 40; width < 120; width += 7) {
    await resize(width, 24);
    expect(lines().at(-1)).toMatch(/ {3}Esc back {2}\? help {2}q quit ?$/);
    expect(displayWidth(lines().at(-1)!)).toBeLessThanOrEqual(width);
  }
});

it.each([40, 80, 130])('the help has all that keys do at %i columns, those of here first', async columns => {
  const start = { tab: 'jobs', id: JOB_ID } as const;
  const { press, frame } = await openDashboard({
    start,
    size: { columns, rows: 500 },
    runCommand: async () => 0,
  });
  await press('?').shows('Keys', inScope('job')[0]!.does.slice(0, 20));
  const text = columns < 116 ? frame().replaceAll(/[│\s]+/g, ' ') : frame();
  expect(text).toMatch(/Keys ─+╮[ │\n]+Job /);
  for (const { does } of (Object.keys(SCOPES) as Scope[]).flatMap(inScope)) expect(text).toContain(does);
});
