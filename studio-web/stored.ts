// Browser storage for settings and unsent input. If storage is blocked or full, values last until the page is reloaded.
import { effectScope, type Ref, ref, watch } from 'vue';
import { projectKey } from './studio.js';

/** Set while notifications about ended runs are on. */
export const NOTIFY_KEY = 'svc-notify';

/** Names of the drafts in the endpoint dialogs. */
export const ENDPOINT_DRAFT = 'endpoint';
export const keyLabelDraft = (deploymentId: string) => `key-label-${deploymentId}`;

export function recall(key: string): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** An empty text removes the entry. */
export function remember(key: string, text: string): void {
  try {
    if (text === '') window.localStorage.removeItem(key);
    else window.localStorage.setItem(key, text);
  } catch {
    return;
  }
}

type Typed = string | Readonly<Record<string, string>>;

/** Studios of several projects may have had this origin. */
const PREFIX = `svc-draft-${projectKey}-`;
/** Session storage: drafts in progress in this tab. */
const atLoad = new Set(Object.keys(tabStorage() ?? {}).filter(key => key.startsWith(PREFIX)));

/**
 * Unsent input, kept until it is sent or discarded, so that it survives a reload, a closed tab and a restart of Studio. `name`
 * identifies the draft; setting it back to `initial` deletes it, even after its view was left.
 */
export function useDraft<T extends Typed>(name: string, initial: T): Ref<T> {
  const key = PREFIX + name;
  const draft = ref(restore(key, initial)) as Ref<T>;
  let kept = recall(key);
  const isDetached = true;
  effectScope(isDetached).run(() =>
    watch(
      draft,
      value => {
        const text = JSON.stringify(value) === JSON.stringify(initial) ? '' : JSON.stringify(value);
        // What was typed elsewhere since is another draft.
        if (text !== '' || recall(key) === kept) keep(key, text);
        kept = text || null;
      },
      { deep: true, flush: 'sync' },
    ),
  );
  return draft;
}

/** Whether this draft was in progress in this tab when the page was reloaded. True only on the first call. */
export function wasBeingTyped(name: string): boolean {
  return atLoad.delete(PREFIX + name);
}

function restore<T extends Typed>(key: string, initial: T): T {
  const saved = read(key);
  if (typeof initial === 'string') return (typeof saved === 'string' ? saved : initial) as T;
  return { ...(initial as object), ...(typeof saved === 'object' ? saved : null) } as T;
}

function read(key: string): unknown {
  try {
    return JSON.parse(recall(key) ?? 'null');
  } catch {
    return null;
  }
}

/** An empty text is no draft. */
function keep(key: string, text: string): void {
  remember(key, text);
  try {
    if (text !== '') tabStorage()?.setItem(key, '1');
    else tabStorage()?.removeItem(key);
  } catch {
    // Storage is full: the draft will not reopen after a reload.
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
