// The Studio that served this page: its address is the page's own, its token stands in the page.
import { ref } from 'vue';
import { browserEventSource, createStudioClient } from '../lib/client/index.js';
import { readEnvelope, STUDIO_TOKEN_META } from '../lib/contract/index.js';

const token = document.querySelector<HTMLMetaElement>(`meta[name="${STUDIO_TOKEN_META}"]`)?.content ?? '';
const baseUrl = window.location.origin;

/** True once the token of this page was refused: Studio was started anew, and only a reload brings the new one. */
export const isStale = ref(false);

export const studio = createStudioClient({ baseUrl, token, fetch: fetchAndNotice });

export const openEventSource = browserEventSource({ baseUrl, token });

async function fetchAndNotice(...call: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...call);
  if (response.status === 403) {
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => null);
    if (readEnvelope(body, 403)?.code === 'studio_token_invalid') isStale.value = true;
  }
  return response;
}
