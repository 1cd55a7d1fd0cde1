// Connects to a Studio in this process: hands it requests directly instead of sending them over the network.
import { createStudioClient, type OpenEventSource, type StudioClient } from '../../../lib/client/index.js';
import { nodeEventSource } from '../../../lib/client/node.js';
import type { Studio } from '../../../lib/studio/index.js';

/** Nothing listens there. */
const BASE_URL = 'http://localhost';

export function connectInProcess(
  studio: Pick<Studio, 'fetch'>,
  token: string,
): { client: StudioClient; openEventSource: OpenEventSource } {
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    request.headers.set('host', 'localhost');
    return studio.fetch(request);
  };
  const options = { baseUrl: BASE_URL, token, fetch };
  return { client: createStudioClient(options), openEventSource: nodeEventSource(options) };
}
