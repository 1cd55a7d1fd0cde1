// A dashboard on a terminal that is only looked at: keys go in as a keyboard sends them, frames come out as text.
import { stripVTControlCharacters } from 'node:util';
import chalk from 'chalk';
import { onTestFinished, vi } from 'vitest';
import { App } from '../../../cli/dashboard/app.js';
import { createDashboard, type DashboardOptions } from '../../../cli/dashboard/create-dashboard.js';
import { asciiGlyphs, displayWidth, unicodeGlyphs } from '../../../lib/console/index.js';
import { PATIENCE_MS } from '../../support/patience.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { type FakeStudio, fakeStudio } from './fake-studio.js';
import { render } from './render.js';
import { styleAt } from './style-at.js';

// In a test, the terminal has no colors by itself.
chalk.level = 1;

const BYTES: Readonly<Record<string, string>> = {
  enter: '\r',
  escape: '\u001b',
  tab: '\t',
  'shift-tab': '\u001b[Z',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  'shift-left': '\u001b[1;2D',
  'shift-right': '\u001b[1;2C',
  pageup: '\u001b[5~',
  pagedown: '\u001b[6~',
  home: '\u001b[H',
  end: '\u001b[F',
  backspace: '\u007f',
  delete: '\u001b[3~',
  'alt-b': '\u001bb',
  'alt-d': '\u001bd',
  'alt-f': '\u001bf',
  'alt-q': '\u001bq',
  'alt-left': '\u001b[1;3D',
  'alt-backspace': '\u001b\u007f',
  'ctrl-right': '\u001b[1;5C',
  'ctrl-a': '\u0001',
  'ctrl-c': '\u0003',
  'ctrl-s': '\u0013',
  'ctrl-u': '\u0015',
};

/** Turns of the event loop in which Ink takes a key, and React draws what it did. */
const TURNS = 6;
/** Until what came has been drawn. */
const DRAWN_MS = 200;
const ESCAPE_MS = 30;

/** What was done, and what is waited for then: `await press('j', 'enter').shows('Event log')`. */
export interface Seeing extends Promise<void> {
  /** Waits until the frame has all of these. */
  shows(...texts: (string | RegExp)[]): Seeing;
  /** Waits until the frame has none of these. */
  hides(...texts: (string | RegExp)[]): Seeing;
}

export type OpenedDashboard = Awaited<ReturnType<typeof openDashboard>>;

type Options = Partial<
  Pick<
    DashboardOptions,
    'runCommand' | 'saveRows' | 'openBrowser' | 'logFile' | 'start' | 'studioUrl' | 'ring'
  >
> & {
  studio?: FakeStudio;
  /** Of the terminal. */
  size?: { readonly columns: number; readonly rows: number };
  hasMouse?: boolean;
  isAscii?: boolean;
  isColored?: boolean;
};

export async function openDashboard(options: Options = {}) {
  const { studio = fakeStudio(), size = { columns: 100, rows: 30 }, ...more } = options;
  const { isAscii = false, isColored = true, hasMouse = false, ...rest } = more;
  const clock = createVirtualClock();
  const copied: string[] = [];
  let isLeft = false;
  const dashboard = createDashboard({
    client: studio.client,
    clock,
    openEventSource: studio.openEventSource,
    studioUrl: 'http://localhost:4000',
    logFile: null,
    ...rest,
    copy(text) {
      copied.push(text);
      return null;
    },
  });
  void dashboard.left.then(() => {
    isLeft = true;
  });
  const look = { isColored, isUnicode: !isAscii, glyphs: isAscii ? asciiGlyphs : unicodeGlyphs };
  const { output, input } = render(<App dashboard={dashboard} look={look} hasMouse={hasMouse} />);
  const setSize = ({ columns, rows }: { columns: number; rows: number }) => {
    Object.assign(output, { columns, rows });
    output.emit('resize');
  };
  onTestFinished(() => dashboard.leave());
  setSize(size);

  const frame = () => stripVTControlCharacters(output.frame);
  const pass = (ms: number) => clock.pass(ms);
  let isAlone = false;
  const settle = async () => {
    for (let turn = 0; turn < TURNS; turn++) await new Promise(resolve => setImmediate(resolve));
    // A lone Escape could be the start of another key.
    await pass(isAlone ? ESCAPE_MS : 0);
    isAlone = false;
    for (let turn = 0; turn < TURNS; turn++) await new Promise(resolve => setImmediate(resolve));
  };
  const feed = (bytes: string) => {
    isAlone = bytes.endsWith('\u001b');
    input.type(bytes);
  };
  const waitFor = (check: () => void) =>
    vi.waitFor(
      async () => {
        await pass(DRAWN_MS);
        await settle();
        check();
      },
      { timeout: PATIENCE_MS, interval: 5 },
    );
  const see = (texts: readonly (string | RegExp)[], isWanted: boolean) =>
    waitFor(() => {
      for (const text of texts) {
        const isThere = typeof text === 'string' ? frame().includes(text) : text.test(frame());
        if (isThere !== isWanted) throw new Error(`${text} is ${isWanted ? 'not ' : ''}in\n${frame()}`);
      }
    });
  const thenSee = (done: Promise<void>): Seeing =>
    Object.assign(done, {
      shows: (...texts: (string | RegExp)[]) => thenSee(done.then(() => see(texts, true))),
      hides: (...texts: (string | RegExp)[]) => thenSee(done.then(() => see(texts, false))),
    });
  const press = async (keys: readonly string[]) => {
    for (const key of keys) {
      feed(BYTES[key] ?? key);
      await settle();
    }
  };
  const { shows, hides } = thenSee(Promise.resolve());
  await settle();

  return {
    studio,
    copied,
    get isLeft() {
      return isLeft;
    },
    /** As a signal leaves it. */
    leave: () => dashboard.leave(),
    summary: dashboard.summary,
    /** Names of keys, or text that is typed. */
    press: (...keys: string[]) => thenSee(press(keys)),
    /** The same as fast as a keyboard can send them, and nothing is drawn for their sake. */
    async burst(...keys: string[]) {
      // What is sent at once with an escape is a key with Alt.
      const sent = keys.map(key => (BYTES[key] ?? key) + (key === 'escape' ? '\0' : '')).join('');
      for (const bytes of sent.split('\0').filter(Boolean)) {
        feed(bytes);
        await new Promise(resolve => setImmediate(resolve));
      }
      for (const _key of keys) await settle();
    },
    paste(text: string) {
      feed(`\u001b[200~${text}\u001b[201~`);
      return thenSee(settle());
    },
    /** Lets time pass for the dashboard, and draws. */
    pass: (ms: number) => thenSee(pass(ms).then(settle)),
    resize(columns: number, rows: number) {
      setSize({ columns, rows });
      return thenSee(settle());
    },
    frame,
    lines: () => frame().split('\n'),
    /** How the first place of a text looks: `bold`, `dim`, `inverse`, `strike` and the color, in this order. */
    styleOf: (text: string) => styleAt(output.frame, text),
    shows,
    hides,
  };
}

/** How wide and tall a frame is. */
export function measure(frame: string): { columns: number; rows: number } {
  const lines = stripVTControlCharacters(frame).split('\n');
  return { columns: Math.max(...lines.map(displayWidth)), rows: lines.length };
}
