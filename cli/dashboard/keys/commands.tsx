// What keys do now. Components offer commands while they are mounted; a key is looked up in the table of bindings, in the
// scopes of the frontmost layer, and the line of hints shows what is offered.
import { createContext, useContext, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { type CommandName, type Commands, findCommand, type Scope } from './bindings.js';

/** What is in front takes the keys: a layer with a scope hides the layers behind it. */
const LAYERS = ['shell', 'view', 'reader', 'prompt', 'question'] as const;
type Layer = (typeof LAYERS)[number];

interface Offer {
  readonly layer: Layer;
  readonly scopes: readonly Scope[];
  readonly commands: Commands;
  /** Keys are typed as text. */
  readonly isTyping: boolean;
}

export type Keymap = ReturnType<typeof createKeymap>;

export function createKeymap() {
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

  /** The scopes whose keys work now, innermost first. */
  const scopesNow = () => inFront().flatMap(({ scopes }) => scopes);

  /** Of the layers from the front to the back, the first that has the command. What is read covers the view. */
  function find(name: CommandName): (() => void) | undefined {
    const all = [...offers.values()];
    const isReading = all.some(({ layer }) => layer === 'reader');
    return all
      .filter(({ layer }) => layer !== 'view' || !isReading)
      .sort((a, b) => LAYERS.indexOf(b.layer) - LAYERS.indexOf(a.layer))
      .find(({ commands }) => commands[name] !== undefined)?.commands[name];
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
    /** Runs a command if it is offered. Returns whether it was. */
    run(name: CommandName): boolean {
      const command = find(name);
      command?.();
      return command !== undefined;
    },
    press(key: string): void {
      const command = findCommand(scopesNow(), key, name => find(name) !== undefined);
      if (command) find(command)?.();
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Changes whenever other commands are offered. */
    get signature(): string {
      return signature;
    },
  };
}

export const KeymapContext = createContext<Keymap>(createKeymap());
export const useKeymap = (): Keymap => useContext(KeymapContext);

/** The same, and the component is drawn again when other commands are offered. */
export function useKeymapNow(): Keymap {
  const keymap = useKeymap();
  useSyncExternalStore(keymap.subscribe, () => keymap.signature);
  return keymap;
}

/**
 * Offers commands in these scopes, the innermost first, while the component is mounted. A command that has no effect now
 * is left out or undefined, and its hint with it.
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
