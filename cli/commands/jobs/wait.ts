// svc jobs wait ID: waits until the job ends; succeeds only if it completed.
import { doneText, shortId } from '../../../lib/console/index.js';
import { readJobEvent } from '../../../lib/contract/index.js';
import { followJob } from '../../../lib/sdk/index.js';
import { exitCode } from '../../command.js';
import { toSafeLine } from '../../style.js';
import { findJob } from '../project/find.js';
import { sessionCommand } from '../project/session-command.js';
import { createLiveLine, ring } from '../terminal/live-line.js';
import { createAbsence } from '../training/event-log.js';
import { advance, drawStatus, noProgress, renderProgress } from '../training/progress.js';
import { reportWaiting } from '../training/waiting.js';

export const run = sessionCommand(
  async ({ positionals, values, session, screen, json, io, answer, note }) => {
    const { cloud, id } = await findJob(session, positionals[0]!);
    const line = createLiveLine(io.stdout, { isLive: screen.isLive && !json });
    const { end, ...absence } = createAbsence(text => {
      line.clear();
      note(text);
    });
    let progress = noProgress;
    const draw = () => line.draw(renderProgress(progress, screen.width - 1, screen.style));
    const teller = reportWaiting(
      { id },
      session,
      text => {
        line.clear();
        note(text);
        draw();
      },
      io.clock,
    );
    try {
      for await (const frame of followJob(session, id, absence)) {
        end();
        teller.noteEvent();
        progress = advance(progress, readJobEvent(frame));
        draw();
      }
    } finally {
      teller.stop();
    }
    line.clear();
    const { job } = await cloud.getJob(id);
    if (values.notify === true) ring(io, doneText(job));
    answer({ job }, () => {
      const reason = job.error === null ? '' : `: ${toSafeLine(job.error)}`;
      return `${drawStatus(job.status, screen.style)}  ${toSafeLine(job.name)} (${shortId(id)})${reason}\n`;
    });
    return job.status === 'completed' ? exitCode.ok : exitCode.failure;
  },
);
