// Agents over HTTP whose client speaks a revision of 2025: it says once what it can do, such as asking its user, so each has a
// session with a server of its own.
import { randomUUID } from 'node:crypto';
import { type McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

export interface HttpSessions {
  answer(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** Clients may leave without saying so. The least recently used session makes room for a new one. */
const MOST_SESSIONS = 32;

const HEADER = 'mcp-session-id';

export function createHttpSessions(createServer: () => McpServer, most = MOST_SESSIONS): HttpSessions {
  /** By ID, the one that was used last at the end. */
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

  async function open(request: Request): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: id => void sessions.set(id, transport),
      onsessionclosed: id => void sessions.delete(id),
    });
    await createServer().connect(transport);
    const response = await transport.handleRequest(request);
    // A request that starts no session is refused.
    if (transport.sessionId === undefined) await transport.close();
    const [oldest] = sessions;
    if (sessions.size > most && oldest) {
      sessions.delete(oldest[0]);
      await oldest[1].close();
    }
    return response;
  }

  return {
    async answer(request) {
      const id = request.headers.get(HEADER);
      if (id === null) return open(request);
      const transport = sessions.get(id);
      // The client then starts another one.
      if (!transport) return refuseSession();
      sessions.delete(id);
      sessions.set(id, transport);
      return transport.handleRequest(request);
    },
    async close() {
      const open = [...sessions.values()];
      sessions.clear();
      await Promise.all(open.map(transport => transport.close()));
    },
  };
}

/** As the protocol's own transport says it. */
function refuseSession(): Response {
  const error = { code: -32_001, message: 'Session not found' };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 });
}
