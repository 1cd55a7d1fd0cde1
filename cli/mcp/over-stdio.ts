// An agent over stdin and stdout: it started this process, and closes its input in the end.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer } from './create-server.js';
import type { Permission } from './permissions.js';
import type { Place } from './run-svc.js';
import { createTrainings } from './train-tools.js';

/** Answers until it is closed. `onProblem`: something in the protocol went wrong. */
export function answerOverStdio(
  place: Place,
  allowed: ReadonlySet<Permission>,
  onProblem: (message: string) => void,
): { close(): Promise<void> } {
  const trainings = createTrainings(place);
  const serving = serveStdio(() => createMcpServer({ place, allowed, trainings }), {
    onerror: ({ message }) => onProblem(message),
  });
  return {
    async close() {
      await Promise.all([serving.close(), trainings.close()]);
    },
  };
}
