// What a view can use of its dashboard.
import type { OpenEventSource, StudioClient } from '../../../lib/client/index.js';
import type { Clock } from '../../../lib/clock/index.js';
import type { Location } from '../../../lib/console/index.js';
import type { Identity } from '../../../lib/contract/index.js';
import type { Canvas, Drawn } from '../drawing/canvas.js';
import type { Line, Tone } from '../drawing/line.js';
import type { Commands, Scope } from './bindings.js';

export interface Context {
  readonly client: StudioClient;
  readonly clock: Clock;
  readonly openEventSource: OpenEventSource;
  readonly identity: Identity | null;
  /** Aborted when the dashboard closes. */
  readonly signal: AbortSignal;
  /** The area for views. */
  readonly canvas: Canvas;
  /** Requests a redraw. */
  changed(): void;
  /** Passes a response on and notes whether Studio and the cloud are up; `isUpstream` if it came from the cloud. */
  reach<Value>(answer: Promise<Value>, isUpstream?: boolean): Promise<Value>;
  /** Fetches the identity again: the first call that needs a project creates one. */
  refreshIdentity(): void;
  /** Shows one line until the next key press. */
  notify(text: string, tone?: Tone): void;
  ask(question: Question): void;
  /** Opens a text field at the bottom of the screen. */
  prompt(prompt: Prompt): void;
  go(location: Location): void;
  /** The same, but going back leads past this view. */
  replace(location: Location): void;
  copy(text: string, what: string): void;
  /** Appends rows to a file, and says so. Missing where there are no files to write. */
  readonly saveRows?: ((file: string, rows: string) => void) | undefined;
}

export interface Question {
  readonly text: string;
  yes(): void;
}

export interface Prompt {
  readonly scope: Scope;
  readonly label: string;
  readonly value: string;
  change?(value: string): void;
  /** Returns what stays in the field; null closes it. */
  submit(value: string): string | null;
  /** Returns true to keep the field open because there was something else to stop first. */
  leave?(value: string): boolean;
}

/** One view of the dashboard. */
export interface View {
  /** The scopes of its keys, innermost first. */
  readonly scopes: readonly Scope[];
  /** What keys do here now. Commands without an effect are omitted, and so are their hints. */
  commands(): Commands;
  /** Whether keys are typed as text. */
  readonly isTyping?: boolean;
  enter(id: string | null, rows?: Location['rows']): void;
  leave(): void;
  draw(canvas: Canvas): Drawn;
  /** The line below the view; shorter while a prompt shares it. */
  foot(canvas: Canvas, isPrompting: boolean): Line;
}
