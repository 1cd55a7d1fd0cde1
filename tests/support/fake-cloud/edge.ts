// The fake cloud's endpoints, at their path form.
import { ApiError } from '../../../lib/contract/index.js';
import { answerChat } from './chat.js';
import type { FakeState } from './state.js';

export const GOOD_KEY = 'svc_live_good';

export function createFakeEdge(state: FakeState) {
  return async (request: Request): Promise<Response> => {
    const slug = /^\/d\/([^/]+)\/v1\/chat\/completions$/.exec(new URL(request.url).pathname)?.[1];
    const deployment = state.deployments.find(known => known.slug === slug);
    if (!deployment?.enabled) throw new ApiError('deployment_not_found', 'There is no such deployment.');
    const isKnown = request.headers.get('authorization') === `Bearer ${GOOD_KEY}`;
    if (deployment.authMode === 'fixed_api_key' && !isKnown)
      throw new ApiError('invalid_api_key', 'The API key is not valid.');
    const body = (await request.json()) as { messages: { role: string }[]; stream?: boolean };
    return answerChat(state, body.messages, body.stream);
  };
}
