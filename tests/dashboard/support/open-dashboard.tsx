// A dashboard on a terminal that is only looked at: keys go in as a keyboard sends them, frames come out as text.
import { stripVTControlCharacters } from 'node:util';
import { cleanup, render } from 'ink-testing-library';
import { onTestFinished, vi } from 'vitest';
import { App } from '../../../cli/dashboard/app.js';
import { blankCells } from '../../../cli/dashboard/cells/cells.js';
import { createFieldSlot } from '../../../cli/dashboard/core/field-slot.js';
import { createFrames } from '../../../cli/dashboard/core/frames.js';
import { createRepaint } from '../../../cli/dashboard/core/repaint.js';
import { createDashboard } from '../../../cli/dashboard/shell/dashboard.js';
import type { DashboardOptions } from '../../../cli/dashboard/shell/options.js';
import { asciiGlyphs, unicodeGlyphs } from '../../../cli/dashboard/terminal/glyphs.js';
import { createKeyboard } from '../../../cli/dashboard/terminal/keyboard.js';
import { displayWidth } from '../../../lib/console/index.js';
import { PATIENCE_MS } from '../../support/patience.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { toCodedText } from './coded-text.js';
import { type FakeStudio, fakeStudio } from './fake-studio.js';

const BYTES: Readonly<Record<string, string>> = {
  enter: '\r',
  escape: '\u001b',
  tab: '\t',
  'shift-tab': '\u001b[Z',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  pageup: '\u001b[5~',
  pagedown: '\u001b[6~',
  home: '\u001b[H',
  end: '\u001b[F',
  backspace: '\u007f',
  'ctrl-c': '\u0003',
  'ctrl-s': '\u0013',
  'ctrl-u': '\u0015',
};

/** As long as the keyboard waits for the rest of a sequence. */
const ESCAPE_MS = 30;
/** Until what came has been drawn. */
const DRAWN_MS = 200;

export interface OpenedDashboard {
  readonly studio: FakeStudio;
  readonly copied: string[];
  readonly isLeft: boolean;
  /** As a signal leaves it. */
  leave(): void;
  summary(): string;
  /** Names of keys, or text that is typed. */
  press(...keys: string[]): Promise<void>;
  /** The same as fast as a keyboard can send them, and nothing is drawn for their sake. */
  burst(...keys: string[]): Promise<void>;
  paste(text: string): Promise<void>;
  /** Lets time pass for the dashboard, and draws. */
  pass(ms: number): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  frame(): string;
  lines(): string[];
  /** With its colors. */
  raw(): string;
  /** The same, with each escape as a sign that can be seen. */
  coded(): string;
  /** Waits until the frame has all of these. */
  shows(...texts: (string | RegExp)[]): Promise<void>;
  /** Waits until the frame has none of these. */
  hides(...texts: string[]): Promise<void>;
}

type Options = Partial<
  Pick<
    DashboardOptions,
    | 'runCommand'
    | 'saveRows'
    | 'openBrowser'
    | 'logFile'
    | 'size'
    | 'start'
    | 'studioUrl'
    | 'ring'
    | 'hasMouse'
  >
> & {
  studio?: FakeStudio;
  isAscii?: boolean;
  isColored?: boolean;
};

export async function openDashboard(options: Options = {}): Promise<OpenedDashboard> {
  const {
    studio = fakeStudio(),
    isAscii = false,
    isColored = true,
    size = { columns: 100, rows: 30 },
  } = options;
  const glyphs = isAscii ? asciiGlyphs : unicodeGlyphs;
  const clock = createVirtualClock();
  const repaint = createRepaint(clock);
  const copied: string[] = [];
  let shownSize = size;
  let isLeft = false;
  const dashboard = createDashboard({
    client: studio.client,
    clock,
    openEventSource: studio.openEventSource,
    studioUrl: options.studioUrl === undefined ? 'http://localhost:4000' : options.studioUrl,
    start: options.start,
    glyphs,
    size,
    repaint,
    logFile: options.logFile ?? null,
    runCommand: options.runCommand,
    saveRows: options.saveRows,
    openBrowser: options.openBrowser,
    ring: options.ring,
    hasMouse: options.hasMouse,
    redraw() {},
    copy(text) {
      copied.push(text);
      return null;
    },
  });
  const look = { isColored, isUnicode: !isAscii, glyphs };
  const slot = createFieldSlot();
  let shown = blankCells(0, 0);
  const frames = createFrames({
    draw: dashboard.draw,
    slot,
    look,
    size: () => shownSize,
    paint(cells) {
      shown = cells;
    },
  });
  frames.draw();
  repaint.subscribe(frames.draw);
  const app = render(<App slot={slot} />);
  // Ink writes each frame of the field at once, as in a terminal.
  app.stdout.write = frames.takeField;
  // Has time of its own, in which escape is not the begin of a sequence.
  const keys = createVirtualClock();
  const keyboard = createKeyboard(
    {
      press: dashboard.press,
      point: dashboard.point,
      get isTyping() {
        return dashboard.isTyping();
      },
      type: bytes => app.stdin.write(bytes),
    },
    keys,
  );
  void dashboard.left.then(() => {
    isLeft = true;
  });
  onTestFinished(() => {
    dashboard.leave();
    cleanup();
  });
  dashboard.start();

  const raw = () => toCodedText(shown);
  const frame = () => stripVTControlCharacters(raw());
  const taken = async () => {
    await keys.pass(ESCAPE_MS);
    await keyboard.settled();
  };
  const pass = async (ms: number) => {
    await clock.pass(ms);
    repaint.flush();
  };
  const settle = async () => {
    await taken();
    await pass(0);
  };
  const waitFor = (check: () => void) =>
    vi.waitFor(
      async () => {
        await pass(DRAWN_MS);
        check();
      },
      { timeout: PATIENCE_MS, interval: 5 },
    );
  await settle();

  return {
    studio,
    copied,
    get isLeft() {
      return isLeft;
    },
    leave: dashboard.leave,
    summary: dashboard.summary,
    async press(...keys) {
      for (const key of keys) {
        keyboard.feed(BYTES[key] ?? key);
        await settle();
      }
    },
    async burst(...keys) {
      for (const key of keys) keyboard.feed(BYTES[key] ?? key);
      await taken();
    },
    async paste(text) {
      keyboard.feed(`\u001b[200~${text}\u001b[201~`);
      await settle();
    },
    pass,
    async resize(width, rows) {
      shownSize = { columns: width, rows };
      dashboard.resize(width, rows);
      await settle();
    },
    frame,
    lines: () => frame().split('\n'),
    raw,
    coded: () => raw().replaceAll('\u001b', '␛'),
    async shows(...texts) {
      await waitFor(() => {
        for (const text of texts) {
          const isThere = typeof text === 'string' ? frame().includes(text) : text.test(frame());
          if (!isThere) throw new Error(`${text} is not in\n${frame()}`);
        }
      });
    },
    async hides(...texts) {
      await waitFor(() => {
        for (const text of texts) if (frame().includes(text)) throw new Error(`${text} is in\n${frame()}`);
      });
    },
  };
}

/** How wide and tall a frame is. */
export function measure(frame: string): { columns: number; rows: number } {
  const lines = stripVTControlCharacters(frame).split('\n');
  return { columns: Math.max(...lines.map(displayWidth)), rows: lines.length };
}
