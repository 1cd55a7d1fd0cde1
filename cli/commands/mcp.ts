// svc mcp: lets an agent drive svc, over stdin and stdout.
import { type CommandModule, exitCode, type Io } from '../command.js';
import { answerOverStdio } from '../mcp/over-stdio.js';
import { readPermissions } from '../mcp/permissions.js';

export const run: CommandModule['run'] = async ({ values, io, note }) => {
  const allowed = readPermissions(values.allow);
  const answering = answerOverStdio({ folder: io.cwd, env: io.env }, allowed, note);
  await untilLeft(io);
  await answering.close();
  return exitCode.ok;
};

/** The agent closes the input, or a signal comes. */
function untilLeft({ stdin, onSignal }: Io): Promise<void> {
  return new Promise(resolve => {
    for (const event of ['end', 'close']) stdin?.once(event, () => resolve());
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) onSignal?.(signal, () => resolve());
  });
}
