// The state around the views: the location and its history, the identity, and the question, prompt or notice at the bottom.
import type { CloudLink, Location, Tone } from '../../../lib/console/index.js';
import type { Identity } from '../../../lib/contract/index.js';
import type { Scope } from '../keys/bindings.js';

export interface Question {
  readonly text: string;
  yes(): void;
  /** Ctrl-C asks to quit and so answers yes; it answers every other question no. */
  readonly isQuit?: true;
}

export interface Prompt {
  readonly scope: Scope;
  readonly label: string;
  readonly value: string;
  change?(value: string): void;
  /** Returns what stays in the field; null closes it. The field stays until a promise is resolved. */
  submit(value: string): string | null | Promise<string | null>;
  /** Returns true if there was something else to stop first, which keeps the field open. */
  leave?(value: string): boolean;
}

export interface ShellState {
  readonly location: Location;
  /** Earlier locations, most recent last; a new array with every step forward or back. */
  readonly trail: readonly Location[];
  readonly identity: Identity | null;
  /** Why the identity is unknown. */
  readonly identityProblem: string | null;
  readonly link: CloudLink;
  /** The cloud's last error message. */
  readonly linkProblem: string | null;
  readonly question: Question | null;
  readonly prompt: Prompt | null;
  /** Help (with the scopes of the view behind it) or a command's output, shown over the view until closed. */
  readonly reader:
    | { readonly kind: 'help'; readonly here: readonly Scope[] }
    | { readonly kind: 'command'; readonly args: readonly string[] }
    | null;
  readonly notice: { readonly text: string; readonly tone: Tone | undefined } | null;
}

const LONGEST_TRAIL = 50;

export function initialShell(location: Location = { tab: 'overview', id: null }): ShellState {
  return {
    location,
    trail: [],
    identity: null,
    identityProblem: null,
    link: 'unknown',
    linkProblem: null,
    question: null,
    prompt: null,
    reader: null,
    notice: null,
  };
}

/** Whether an open text field belongs to the selected row, as all but searches may. */
export function holdsSelection({ prompt }: ShellState): boolean {
  return prompt !== null && prompt.scope !== 'search';
}

/** Closes any open text field. A replaced location is not added to the history. */
export function stepTo(
  { location, trail }: ShellState,
  to: Location,
  replaces: boolean,
): Partial<ShellState> {
  const longer = [...trail, location].slice(-LONGEST_TRAIL);
  return { location: to, trail: replaces ? trail : longer, prompt: null };
}

/** Goes to the previous location or, without one, to the list that contains the current item. */
export function stepBack({ location, trail }: ShellState): Partial<ShellState> {
  return {
    location: trail.at(-1) ?? { tab: location.tab, id: null },
    trail: trail.slice(0, -1),
    prompt: null,
  };
}
