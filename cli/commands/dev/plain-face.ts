// Studio as lines, for a log or a terminal without a dashboard: where it is, who calls, runs that begin and end.
// Requests are not told.
import type { TrainStatus } from '../../../lib/contract/index.js';
import { findEntry } from '../../../lib/sdk/index.js';
import type { Io } from '../../command.js';
import { inOwnName } from '../../own-name.js';
import { toSafeText } from '../../style.js';
import { describeFailure } from '../dashboard/describe-failure.js';
import type { Face } from './face.js';

export function createPlainFace({ stdout, stderr, env }: Io, folder: string): Face {
  let isClosed = false;
  const note = (line: string) => {
    if (!isClosed) stdout.write(`${inOwnName(toSafeText(line), env)}\n`);
  };
  return {
    note,
    cloudAnswered() {},
    show({ url }, caller) {
      note(`Studio runs at ${url}`);
      note(caller);
      // Nobody asks for a manifest here, which would say it.
      void findEntry(folder).catch(({ message }: Error) => note(`! ${message}`));
    },
    onTrain: status => note(describeTrain(status)),
    log(line) {
      if (!isClosed) stderr.write(`${toSafeText(describeFailure(line, env.SVC_DEBUG !== undefined))}\n`);
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
  return exitCode === 0 ? `Training ended${job}.` : `Training ended with exit code ${exitCode}${job}.`;
}
