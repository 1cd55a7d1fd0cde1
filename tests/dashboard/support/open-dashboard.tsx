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
  const repaint = createRepaint();
  const copied: string[] = [];
  let shownSize = size;
  let isLeft = false;
  const dashboard = createDashboard({
    client: studio.client,
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
  const keyboard = createKeyboard(
    {
      press: dashboard.press,
      point: dashboard.point,
      get isTyping() {
        return dashboard.isTyping();
      },
      type: bytes => app.stdin.write(bytes),
    },
    1,
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
  const settle = async () => {
    await keyboard.settled();
    await new Promise(resolve => setTimeout(resolve, 5));
    repaint.flush();
  };
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
      await keyboard.settled();
    },
    async paste(text) {
      keyboard.feed(`\u001b[200~${text}\u001b[201~`);
      await settle();
    },
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
      await vi.waitFor(() => {
        for (const text of texts) {
          const isThere = typeof text === 'string' ? frame().includes(text) : text.test(frame());
          if (!isThere) throw new Error(`${text} is not in\n${frame()}`);
        }
      }, PATIENCE_MS);
    },
    async hides(...texts) {
      await vi.waitFor(() => {
        for (const text of texts) if (frame().includes(text)) throw new Error(`${text} is in\n${frame()}`);
      }, PATIENCE_MS);
    },
  };
}

/** How wide and tall a frame is. */
export function measure(frame: string): { columns: number; rows: number } {
  const lines = stripVTControlCharacters(frame).split('\n');
  return { columns: Math.max(...lines.map(displayWidth)), rows: lines.length };
}
