// svc jobs logs: a job's events, one per line, each with the number to resume after. svc jobs wait: its progress, until it ends.
import { doneText, initialJobView, reduceJobView, shortId } from '../../../lib/console/index.js';
import { type EventFrame, isFinalStatus, readJobEvent } from '../../../lib/contract/index.js';
import { followJob } from '../../../lib/sdk/index.js';
import { exitCode } from '../../command.js';
import { print } from '../../print.js';
import { type Style, toSafeJson, toSafeLine } from '../../style.js';
import { findJob } from '../project/find.js';
import { countOption } from '../project/option-values.js';
import { sessionCommand } from '../project/session-command.js';
import { createLiveLine, ring } from '../terminal/live-line.js';
import { createAbsence, readEventsSoFar } from '../training/event-log.js';
import { advance, drawStatus, noProgress, renderProgress } from '../training/progress.js';
import { reportWaiting } from '../training/waiting.js';

export const printLogs = sessionCommand(async input => {
  const { positionals, values, session, screen, json, io, note } = input;
  const after = countOption(input, 'after');
  const found = await findJob(session, positionals[0]!);
  const { job } = await found.cloud.getJob(found.id);
  const follow = values.follow === true || isFinalStatus(job.status);
  const toText = json ? toJsonLine : createLines(screen.style);
  const { end, ...absence } = createAbsence(note);
  const frames = follow
    ? followJob(session, found.id, { after, ...absence })
    : readEventsSoFar(found.cloud, job, after);
  const teller = follow && !isFinalStatus(job.status) ? reportWaiting(job, session, note, io.clock) : null;
  let count = 0;
  try {
    for await (const frame of frames) {
      end();
      teller?.noteEvent();
      count++;
      print(io.stdout, toText(frame));
    }
  } finally {
    teller?.stop();
  }
  if (count === 0) note(after === undefined ? 'No events yet.' : `No events after ${after}.`);
  return exitCode.ok;
});

/**
 * The data as sent, on one line. Line feeds in JSON can only be between tokens, so they are safe to replace.
 */
function toJsonLine({ data }: EventFrame): string {
  return `${toSafeJson(data.replaceAll('\n', ' '))}\n`;
}

const EVENT_WIDTH = 'training.completed'.length;

/** Uses the same messages as the event log in Studio. */
function createLines(style: Style): (frame: EventFrame) => string {
  let view = initialJobView;
  return frame => {
    const before = view;
    view = reduceJobView(view, { type: 'events', parts: [frame] });
    const entry = view.log === before.log ? null : view.log.at(-1)!;
    const message = entry?.message ?? (frame.event === 'end' ? (view.streamed ?? '') : null);
    if (message === null) return '';
    const event = style.cyan(toSafeLine(frame.event).padEnd(EVENT_WIDTH));
    return `${style.dim(frame.id.padStart(5))}  ${event}  ${toSafeLine(message)}\n`;
  };
}

/** Succeeds only if the job completed. */
export const waitForEnd = sessionCommand(
  async ({ positionals, values, session, screen, json, io, answer, note }) => {
    const { id } = await findJob(session, positionals[0]!);
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
    // The cloud may have moved meanwhile.
    const { job } = await (await session.projectClient()).getJob(id);
    if (values.notify === true) ring(io, doneText(job));
    answer({ job }, () => {
      const reason = job.error === null ? '' : `: ${toSafeLine(job.error)}`;
      return `${drawStatus(job.status, screen.style)}  ${toSafeLine(job.name)} (${shortId(id)})${reason}\n`;
    });
    return job.status === 'completed' ? exitCode.ok : exitCode.failure;
  },
);
