// A cloud in this process in the place of one on the network.

/** Where clients believe that they find it. */
export const HOST = 'localhost:4100';

/** What clients fetch with: their requests arrive as from the network. */
export function toFetch(answer: (request: Request) => Promise<Response> | Response | null): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const headers = new Headers(request.headers);
    headers.set('host', HOST);
    const response = await answer(new Request(request, { headers }));
    if (!response) throw new Error(`Nobody answers ${request.url}.`);
    return response;
  };
}
