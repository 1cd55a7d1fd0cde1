// Studio as plain lines, for a log or a terminal without the dashboard: its URL, the identity, and runs as they start and
// end. Requests are not shown.
import type { TrainStatus } from '../../../lib/contract/index.js';
import { findEntry } from '../../../lib/sdk/index.js';
import type { Io } from '../../command.js';
import { printLine } from '../../print.js';
import { describeFailure } from '../dashboard/describe-failure.js';
import type { Face } from './face.js';

export function createPlainFace({ stdout, stderr, env }: Io, folder: string): Face {
  let isClosed = false;
  const note = (line: string) => {
    if (!isClosed) printLine(stdout, line, env);
  };
  return {
    note,
    cloudAnswered() {},
    show({ url }, caller) {
      note(`Studio is running at ${url}`);
      note(caller);
      // The plain face never requests the manifest, which would report this.
      void findEntry(folder).catch(({ message }: Error) => note(`! ${message}`));
    },
    onTrain: status => note(describeTrain(status)),
    log(line) {
      if (!isClosed) printLine(stderr, describeFailure(line, env.SVC_DEBUG !== undefined), env);
    },
    left: new Promise(() => {}),
    async close() {
      isClosed = true;
    },
  };
}

function describeTrain({ running, jobId, exitCode }: TrainStatus): string {
  if (running) return 'Training started.';
  const job = jobId === null ? '' : `, job ${jobId}`;
  return exitCode === 0 ? `Training finished${job}.` : `Training exited with code ${exitCode}${job}.`;
}
