// Unsent input, kept in this tab until it is sent or discarded, so that a reload (after a Studio restart) keeps it.
import { type Ref, ref, watch } from 'vue';

type Typed = string | Readonly<Record<string, string>>;

const PREFIX = 'svc-draft-';
const atLoad = new Set(Object.keys(storage() ?? {}).filter(key => key.startsWith(PREFIX)));

/** `name` identifies the draft. Setting it back to `initial` deletes it. */
export function useDraft<T extends Typed>(name: string, initial: T): Ref<T> {
  const key = PREFIX + name;
  const draft = ref(restore(key, initial)) as Ref<T>;
  watch(draft, value => keep(key, value, initial), { deep: true, flush: 'sync' });
  return draft;
}

/** Whether this draft was in progress when the page was reloaded. True only on the first call. */
export function wasBeingTyped(name: string): boolean {
  return atLoad.delete(PREFIX + name);
}

function restore<T extends Typed>(key: string, initial: T): T {
  const kept = read(key);
  if (typeof initial === 'string') return (typeof kept === 'string' ? kept : initial) as T;
  return { ...(initial as object), ...(typeof kept === 'object' ? kept : null) } as T;
}

function read(key: string): unknown {
  try {
    return JSON.parse(storage()?.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

function keep(key: string, value: Typed, initial: Typed): void {
  const text = JSON.stringify(value);
  try {
    if (text === JSON.stringify(initial)) storage()?.removeItem(key);
    else storage()?.setItem(key, text);
  } catch {
    // Storage is full: the draft lasts only as long as the page.
    return;
  }
}

/** Null if the browser blocks session storage. */
function storage(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}
