// What is checked before anything is routed: that the request was meant for this machine by name, and that who asks for
// more than the app's files has the token of this launch.
import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError, STUDIO_TOKEN_HEADER, STUDIO_TOKEN_QUERY } from '../contract/index.js';
import { isFilePath } from './static/file-path.js';

const OUR_HOST = /^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/i;
/** The one address whose token may stand in its query: the browser's EventSource sends no headers. */
const EVENTS_PATH = /^\/api\/jobs\/[\w-]+\/events$/;

export function createGuard(token: string): (request: Request) => void {
  const isToken = createComparison(token);
  return request => {
    const url = new URL(request.url);
    refuseOtherHosts(request, url);
    // Not "what is the API needs it": a path can be spelled in many ways, and routing may decode it.
    if (isFilePath(url.pathname)) return;
    if (isToken(request.headers.get(STUDIO_TOKEN_HEADER) ?? '')) return;
    if (takesTokenInQuery(request, url) && isToken(url.searchParams.get(STUDIO_TOKEN_QUERY) ?? '')) return;
    throw new ApiError(
      'studio_token_invalid',
      'The token of this Studio is missing, or of an earlier launch. Reload the page; a script finds it in .svc/studio.json.',
    );
  };
}

/** A request line can name a host of its own, next to the header: both have to be ours. */
function refuseOtherHosts({ headers }: Request, url: URL): void {
  if (OUR_HOST.test(headers.get('host') ?? '') && OUR_HOST.test(url.host)) return;
  throw new ApiError(
    'host_not_allowed',
    'Studio answers to localhost and 127.0.0.1, not to the host of this request.',
  );
}

function takesTokenInQuery({ method }: Request, { pathname }: URL): boolean {
  return method === 'GET' && EVENTS_PATH.test(pathname);
}

/** In constant time, whatever is given: digests are of one length. */
function createComparison(token: string): (given: string) => boolean {
  const wanted = digest(token);
  return given => timingSafeEqual(digest(given), wanted);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
