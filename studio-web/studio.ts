// The Studio that served this page: its address is the page's own, its token stands in the page.
import { createStudioClient } from '../lib/client/index.js';
import { STUDIO_TOKEN_META } from '../lib/contract/index.js';

const token = document.querySelector<HTMLMetaElement>(`meta[name="${STUDIO_TOKEN_META}"]`)?.content ?? '';

export const studio = createStudioClient({ baseUrl: window.location.origin, token });
