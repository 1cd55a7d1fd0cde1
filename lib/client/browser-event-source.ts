// The browser's EventSource cannot send headers, so the token goes in the query, which only this route accepts.
import { STUDIO_TOKEN_QUERY } from '../contract/index.js';
import type { EventSourceLike, OpenEventSource } from './watch-job.js';

type EventSourceClass = new (url: string) => EventSourceLike;

export function browserEventSource({ baseUrl, token }: { baseUrl: string; token: string }): OpenEventSource {
  const { EventSource } = globalThis as unknown as { EventSource: EventSourceClass };
  return path => {
    const url = new URL(path, baseUrl);
    url.searchParams.set(STUDIO_TOKEN_QUERY, token);
    return new EventSource(url.href);
  };
}
