// The browser app's page with this launch's token in its meta tag. Pure.
import { STUDIO_TOKEN_META } from '../../contract/index.js';

const TAG = new RegExp(`<meta\\s[^>]*name="${STUDIO_TOKEN_META}"[^>]*>`, 'i');

/** The token is base64url, so it needs no escaping. */
export function renderPage(html: string, token: string): string {
  const tag = `<meta name="${STUDIO_TOKEN_META}" content="${token}">`;
  return TAG.test(html)
    ? html.replace(TAG, () => tag)
    : html.replace(/<head[^>]*>/i, head => `${head}${tag}`);
}
