// Checks before routing: the host must be this machine's, and anything but the app's files requires this launch's
// token.
import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError, STUDIO_TOKEN_HEADER, STUDIO_TOKEN_QUERY } from '../contract/index.js';
import { isFilePath } from './static/file-path.js';

const OUR_HOST = /^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/i;
/** The only path that accepts the token in the query, because the browser's EventSource cannot send headers. */
const EVENTS_PATH = /^\/api\/jobs\/[\w-]+\/events$/;

export function createGuard(token: string): (request: Request) => void {
  const isToken = createComparison(token);
  return request => {
    const url = new URL(request.url);
    refuseOtherHosts(request, url);
    // Not "API paths need a token": a path can be spelled in many ways, and routing may decode it.
    if (isFilePath(url.pathname)) return;
    if (isToken(request.headers.get(STUDIO_TOKEN_HEADER) ?? '')) return;
    if (takesTokenInQuery(request, url) && isToken(url.searchParams.get(STUDIO_TOKEN_QUERY) ?? '')) return;
    throw new ApiError(
      'studio_token_invalid',
      'The Studio token is missing or from an earlier launch. Reload the page; scripts find the token in .svc/studio.json.',
    );
  };
}

/** The request line can name a host as well as the header: both must be ours. */
function refuseOtherHosts({ headers }: Request, url: URL): void {
  if (OUR_HOST.test(headers.get('host') ?? '') && OUR_HOST.test(url.host)) return;
  throw new ApiError('host_not_allowed', 'Studio only accepts requests for localhost and 127.0.0.1.');
}

function takesTokenInQuery({ method }: Request, { pathname }: URL): boolean {
  return method === 'GET' && EVENTS_PATH.test(pathname);
}

/** Constant-time for any input, because all digests have the same length. */
function createComparison(token: string): (given: string) => boolean {
  const wanted = digest(token);
  return given => timingSafeEqual(digest(given), wanted);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
