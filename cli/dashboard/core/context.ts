// What a view can ask of the dashboard that it is part of.
import type { OpenEventSource, StudioClient } from '../../../lib/client/index.js';
import type { Location } from '../../../lib/console/index.js';
import type { Identity } from '../../../lib/contract/index.js';
import type { Canvas, Drawn } from '../drawing/canvas.js';
import type { Line, Tone } from '../drawing/line.js';
import type { Commands, Scope } from './bindings.js';

export interface Context {
  readonly client: StudioClient;
  readonly openEventSource: OpenEventSource;
  readonly identity: Identity | null;
  /** Aborted when the dashboard is left. */
  readonly signal: AbortSignal;
  /** The room that views have. */
  readonly canvas: Canvas;
  /** Something is to be drawn again. */
  changed(): void;
  /** Passes an answer on, and notes whether Studio and the cloud are there; `isUpstream` when the cloud had to answer. */
  reach<Value>(answer: Promise<Value>, isUpstream?: boolean): Promise<Value>;
  /** Asks again who calls: the first call that needs a project makes one. */
  refreshIdentity(): void;
  /** One line, until the next key. */
  notify(text: string, tone?: Tone): void;
  ask(question: Question): void;
  /** Has a line of text typed at the foot of the screen. */
  prompt(prompt: Prompt): void;
  go(location: Location): void;
  copy(text: string, what: string): void;
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
  /** What is left in the field afterwards; null closes it. */
  submit(value: string): string | null;
  /** True when there was something else to leave first. */
  leave?(value: string): boolean;
}

/** One of the places, as the dashboard knows it. */
export interface View {
  /** Where keys count here, innermost first. */
  readonly scopes: readonly Scope[];
  /** What keys do here now: what has no effect is left out, and so are its hints. */
  readonly commands: Commands;
  /** Whether keys are text here. */
  readonly isTyping?: boolean;
  enter(id: string | null): void;
  leave(): void;
  draw(canvas: Canvas): Drawn;
  /** A line below the view; beside a text that is being typed there is less to say. */
  foot(canvas: Canvas, isPrompting: boolean): Line;
}
