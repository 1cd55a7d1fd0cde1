// svc mcp: lets an agent drive svc over stdin and stdout. The agent starts this process, and closes its input in the end.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { exitCode, type Io, type RunCommand } from '../command.js';
import { createMcpServer } from './create-server.js';
import { readPermissions } from './permissions.js';
import { createTrainings } from './train-tools.js';

export const run: RunCommand = async ({ values, io, note }) => {
  const allowed = readPermissions(values.allow);
  const place = { folder: io.cwd, env: io.env };
  const trainings = createTrainings(place);
  const serving = serveStdio(() => createMcpServer({ place, allowed, trainings }), {
    onerror: ({ message }) => note(message),
  });
  await untilLeft(io);
  await Promise.all([serving.close(), trainings.close()]);
  return exitCode.ok;
};

/** The agent closes the input, or a signal comes. */
function untilLeft({ stdin, onSignal }: Io): Promise<void> {
  return new Promise(resolve => {
    for (const event of ['end', 'close']) stdin?.once(event, () => resolve());
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) onSignal?.(signal, () => resolve());
  });
}
