// Choices that this browser keeps. Where storage is blocked or full, they last as long as the page.

/** Set while somebody wants to be told when runs end. */
export const NOTIFY_KEY = 'svc-notify';

export function recall(key: string): string | null {
  try {
    return window.localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** An empty text is forgotten. */
export function remember(key: string, text: string): void {
  try {
    if (text === '') window.localStorage.removeItem(key);
    else window.localStorage.setItem(key, text);
  } catch {
    return;
  }
}
