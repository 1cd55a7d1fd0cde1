// Clients for the Studio that served this page: same origin, with the token from the page's meta tag.
import { ref } from 'vue';
import { browserEventSource, createStudioClient } from '../lib/client/index.js';
import { readEnvelope, STUDIO_PROJECT_META, STUDIO_TOKEN_META } from '../lib/contract/index.js';

const readMeta = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
const token = readMeta(STUDIO_TOKEN_META);
const baseUrl = window.location.origin;

/** Names this page's project among those whose Studios had the same origin. */
export const projectKey = readMeta(STUDIO_PROJECT_META);

/** True once Studio has rejected this page's token: Studio was restarted, and only a reload gets the new token. */
export const isStale = ref(false);

export const studio = createStudioClient({ baseUrl, token, fetch: fetchAndNotice });

/** How to watch jobs from this page. */
export const watching = {
  ...studio,
  openEventSource: browserEventSource({ baseUrl, token }),
  soon: createTasks(),
};

/** Tracks Studio's responses, and missing ones. */
type Witness = (path: string, outcome: Response | 'no answer') => void;

let witness: Witness = () => {};

export function onResponse(react: Witness): void {
  witness = react;
}

async function fetchAndNotice(...call: Parameters<typeof fetch>): Promise<Response> {
  const [url, { signal } = {}] = call;
  const path = new URL(String(url), baseUrl).pathname;
  const response = await fetch(...call).catch(error => {
    if (!signal?.aborted) witness(path, 'no answer');
    throw error;
  });
  witness(path, response);
  if (response.status === 403) {
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => null);
    if (readEnvelope(body, 403)?.code === 'studio_token_invalid') isStale.value = true;
  }
  return response;
}

/** Runs each in a task of its own. A browser's microtasks run after each event, and its timers rarely in a hidden tab. */
function createTasks(): (run: () => void) => void {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return run => {
    waiting.push(run);
    port2.postMessage(null);
  };
}
