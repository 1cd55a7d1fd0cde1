// The two ways from a dashboard to its Studio.
import { createStudioClient, type OpenEventSource, type StudioClient } from '../../../lib/client/index.js';
import { nodeEventSource, patientFetch } from '../../../lib/client/node.js';
import type { RunningStudio, Studio } from '../../../lib/studio/index.js';

interface Connection {
  client: StudioClient;
  openEventSource: OpenEventSource;
}

/** As the page does: over HTTP, with this launch's token. */
export function connectTo({ url, token }: RunningStudio): Connection {
  const address = { baseUrl: url, token };
  return {
    client: createStudioClient({ ...address, fetch: patientFetch }),
    openEventSource: nodeEventSource(address),
  };
}

/** A placeholder; nothing listens there. */
const BASE_URL = 'http://localhost';

/** To a Studio in this process, without the network. */
export function connectInProcess(studio: Pick<Studio, 'fetch'>, token: string): Connection {
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    request.headers.set('host', 'localhost');
    return studio.fetch(request);
  };
  const options = { baseUrl: BASE_URL, token, fetch };
  return { client: createStudioClient(options), openEventSource: nodeEventSource(options) };
}
