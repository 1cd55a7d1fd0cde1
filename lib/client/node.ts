// Node only: an EventSource like the browser's but with the token in a header, and a fetch without Node's
// time limits.
import { EventSource } from 'eventsource';
import { STUDIO_TOKEN_HEADER } from '../contract/index.js';
import type { EventSourceLike, OpenEventSource } from './watch-job.js';

export { patientFetch } from './patient-fetch.js';

interface NodeEventSourceOptions {
  baseUrl: string;
  token: string;
  fetch?: typeof fetch;
}

export function nodeEventSource({
  baseUrl,
  token,
  fetch = globalThis.fetch,
}: NodeEventSourceOptions): OpenEventSource {
  return path =>
    new EventSource(new URL(path, baseUrl), {
      fetch: (url, init) =>
        fetch(url, {
          ...init,
          redirect: 'manual',
          headers: { ...init.headers, [STUDIO_TOKEN_HEADER]: token },
        }),
    }) as unknown as EventSourceLike;
}
