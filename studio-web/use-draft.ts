// Unsent input, kept by this browser until it is sent or discarded, so that it survives a reload, a closed tab and a restart
// of Studio. The tab remembers what was in progress in it.
import { type Ref, ref, watch } from 'vue';
import { recall, remember } from './stored.js';

type Typed = string | Readonly<Record<string, string>>;

const PREFIX = 'svc-draft-';
const atLoad = new Set(Object.keys(tabStorage() ?? {}).filter(key => key.startsWith(PREFIX)));

/** `name` identifies the draft. Setting it back to `initial` deletes it. */
export function useDraft<T extends Typed>(name: string, initial: T): Ref<T> {
  const key = PREFIX + name;
  const draft = ref(restore(key, initial)) as Ref<T>;
  watch(draft, value => keep(key, value, initial), { deep: true, flush: 'sync' });
  return draft;
}

/** Whether this draft was in progress in this tab when the page was reloaded. True only on the first call. */
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
    return JSON.parse(recall(key) ?? 'null');
  } catch {
    return null;
  }
}

function keep(key: string, value: Typed, initial: Typed): void {
  const text = JSON.stringify(value);
  const isDraft = text !== JSON.stringify(initial);
  remember(key, isDraft ? text : '');
  try {
    if (isDraft) tabStorage()?.setItem(key, '1');
    else tabStorage()?.removeItem(key);
  } catch {
    // Storage is full: a reload does not open what was in progress.
    return;
  }
}

/** Null if the browser blocks session storage. */
function tabStorage(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}
