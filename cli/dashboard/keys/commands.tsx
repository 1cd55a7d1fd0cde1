// The commands available now. Components register commands while they are mounted; keys are looked up in the
// bindings table in the scopes of the frontmost layer, and the hint line shows the available ones.
import { createContext, useContext, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { type CommandName, type Commands, findCommand, type Scope } from './bindings.js';

/** The frontmost layer gets the keys: a layer with a scope hides the layers behind it. */
const LAYERS = ['shell', 'view', 'reader', 'prompt', 'tooSmall', 'question'] as const;
type Layer = (typeof LAYERS)[number];

interface Offer {
  readonly layer: Layer;
  readonly scopes: readonly Scope[];
  readonly commands: Commands;
  /** Keys are text input. */
  readonly isTyping: boolean;
}

export type Keymap = ReturnType<typeof createKeymap>;

/** `besides`: what else runs with a view's command, in every view. */
export function createKeymap(besides: Commands = {}) {
  const offers = new Map<object, Offer>();
  const listeners = new Set<() => void>();
  let signature = '';

  const front = () =>
    Math.max(
      0,
      ...[...offers.values()].map(({ layer, scopes }) => (scopes.length > 0 ? LAYERS.indexOf(layer) : 0)),
    );
  const inFront = () => {
    const level = front();
    return [...offers.values()].filter(({ layer }) => LAYERS.indexOf(layer) === level);
  };

  /** The active scopes, innermost first. */
  const scopesNow = () => inFront().flatMap(({ scopes }) => scopes);

  /** Searches the layers from front to back for the command. A reader hides the view's commands. */
  function find(name: CommandName): (() => void) | undefined {
    const all = [...offers.values()];
    const isReading = all.some(({ layer }) => layer === 'reader');
    return all
      .filter(({ layer }) => layer !== 'view' || !isReading)
      .sort((a, b) => LAYERS.indexOf(b.layer) - LAYERS.indexOf(a.layer))
      .find(({ commands }) => commands[name] !== undefined)?.commands[name];
  }

  function run(name: CommandName): boolean {
    const command = find(name);
    command?.();
    if (command) besides[name]?.();
    return command !== undefined;
  }

  function noteChange(): void {
    const parts = [...offers.values()].map(({ layer, scopes, commands, isTyping }) => {
      const names = Object.keys(commands).filter(name => commands[name as CommandName] !== undefined);
      return `${layer}:${scopes.join()}:${names.join()}:${isTyping}`;
    });
    const next = parts.join('|');
    if (next === signature) return;
    signature = next;
    for (const listener of listeners) listener();
  }

  return {
    offer(id: object, offer: Offer | null): void {
      if (offer) offers.set(id, offer);
      else offers.delete(id);
      noteChange();
    },
    get scopes(): readonly Scope[] {
      return scopesNow();
    },
    get isTyping(): boolean {
      return inFront().some(({ isTyping }) => isTyping);
    },
    offers: (name: CommandName) => find(name) !== undefined,
    /** Runs a command if it is available. Returns whether it was. */
    run,
    press(key: string): void {
      const command = findCommand(scopesNow(), key, name => find(name) !== undefined);
      if (command) run(command);
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Changes whenever the available commands change. */
    get signature(): string {
      return signature;
    },
  };
}

export const KeymapContext = createContext<Keymap>(createKeymap());
export const useKeymap = (): Keymap => useContext(KeymapContext);

/** The keymap; re-renders the component when the available commands change. */
export function useKeymapNow(): Keymap {
  const keymap = useKeymap();
  useSyncExternalStore(keymap.subscribe, () => keymap.signature);
  return keymap;
}

/**
 * Registers commands in these scopes, innermost first, while the component is mounted. Omit a command, or
 * leave it undefined, while it has no effect: its hint is then hidden as well.
 */
export function useCommands(
  scopes: readonly Scope[],
  commands: Commands,
  { layer = 'view', isTyping = false }: Partial<Pick<Offer, 'layer' | 'isTyping'>> = {},
): void {
  const keymap = useKeymap();
  const id = useRef({}).current;
  useLayoutEffect(() => keymap.offer(id, { layer, scopes, commands, isTyping }));
  useLayoutEffect(() => () => keymap.offer(id, null), [keymap, id]);
}
