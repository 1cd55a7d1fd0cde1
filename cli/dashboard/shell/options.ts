// What the dashboard is made with, and the store of its shell.
import type { OpenEventSource, StudioClient } from '../../../lib/client/index.js';
import type { Clock } from '../../../lib/clock/index.js';
import type { Location } from '../../../lib/console/index.js';
import type { Repaint } from '../core/repaint.js';
import type { ShellAction, ShellState } from '../core/shell-state.js';
import type { Store } from '../core/store.js';
import type { Glyphs } from '../terminal/glyphs.js';
import type { RunCommand } from '../views/readers/command.js';

export interface DashboardOptions {
  readonly client: StudioClient;
  readonly clock?: Clock | undefined;
  readonly openEventSource: OpenEventSource;
  /** The URL of the browser app; null if there is none. */
  readonly studioUrl: string | null;
  readonly glyphs: Glyphs;
  readonly size: { readonly columns: number; readonly rows: number };
  readonly repaint: Repaint;
  readonly logFile: string | null;
  /** The first view; the overview by default. */
  readonly start?: Location | undefined;
  readonly runCommand?: RunCommand | undefined;
  /** Null on success, otherwise the reason. */
  readonly openBrowser?: ((url: string) => Promise<string | null>) | undefined;
  /** Appends rows to a file. Null on success, otherwise the reason. */
  readonly saveRows?: ((file: string, rows: string) => Promise<string | null>) | undefined;
  /** Tells outside of the screen that a run has ended; without it, nobody wants to know. */
  readonly ring?: ((text: string) => void) | undefined;
  /** The mouse is read, which the help explains. */
  readonly hasMouse?: boolean | undefined;
  /** Redraws the whole screen, after something else wrote on it. */
  redraw(): void;
  /** Null if the text was sent to the terminal, otherwise the reason. */
  copy(text: string): string | null;
}

export type Shell = Store<ShellState, ShellAction>;
