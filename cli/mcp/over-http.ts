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
    const [{ createMcpHandler }, { createMcpServer }, { createTrainings }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('./create-server.js'),
      import('./train-tools.js'),
    ]);
    const trainings = createTrainings(place);
    return { trainings, handler: createMcpHandler(() => createMcpServer({ place, allowed, trainings })) };
  }
  return {
    async answer(request) {
      opened ??= open();
      return (await opened).handler.fetch(request);
    },
    async close() {
      if (!opened) return;
      const { handler, trainings } = await opened;
      await Promise.all([handler.close(), trainings.close()]);
    },
  };
}
