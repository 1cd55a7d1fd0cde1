// Agents over HTTP: what `svc dev` answers at `/mcp`. Loaded by the first one that calls.
import type { Permission } from './permissions.js';
import type { Place } from './run-svc.js';

export interface AgentEndpoint {
  answer(request: Request): Promise<Response>;
  close(): Promise<void>;
}

export function openAgentEndpoint(place: Place, allowed: ReadonlySet<Permission>): AgentEndpoint {
  let opened: ReturnType<typeof open> | undefined;
  async function open() {
    const [protocol, { createMcpServer }, { createHttpSessions }, { createTrainings }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('./create-server.js'),
      import('./http-sessions.js'),
      import('./train-tools.js'),
    ]);
    const trainings = createTrainings(place);
    const create = () => createMcpServer({ place, allowed, trainings });
    const { createMcpHandler, isLegacyRequest } = protocol;
    const [handler, sessions] = [createMcpHandler(create, { legacy: 'reject' }), createHttpSessions(create)];
    return { trainings, handler, sessions, isLegacyRequest };
  }
  return {
    async answer(request) {
      opened ??= open();
      const { handler, sessions, isLegacyRequest } = await opened;
      return (await isLegacyRequest(request)) ? sessions.answer(request) : handler.fetch(request);
    },
    async close() {
      if (!opened) return;
      const { handler, sessions, trainings } = await opened;
      await Promise.all([handler.close(), sessions.close(), trainings.close()]);
    },
  };
}
