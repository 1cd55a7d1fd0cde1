// For what takes no body: one that says something would be passed over in silence, so it is refused.
import { ApiError, emptyBody, parseRequest } from '../../contract/index.js';
import { JSON_BODY_LIMIT, limitBody } from '../../http/index.js';

/** Nothing, or an object with nothing in it. */
export async function refuseBody(request: Request): Promise<void> {
  const text = await new Response(limitBody(request, JSON_BODY_LIMIT)).text();
  if (text.trim() !== '') parseRequest(emptyBody, parse(text));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new ApiError('invalid_json', 'This takes no body, and the one it was sent is not JSON.', { cause });
  }
}
