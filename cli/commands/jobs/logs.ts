// svc jobs logs ID: a job's events, one per line, each with the number to resume after.
import { initialJobView, reduceJobView } from '../../../lib/console/index.js';
import { type EventFrame, isFinalStatus } from '../../../lib/contract/index.js';
import { followJob } from '../../../lib/sdk/index.js';
import { exitCode } from '../../command.js';
import { print } from '../../print.js';
import { type Style, toSafeJson, toSafeLine } from '../../style.js';
import { findJob } from '../project/find.js';
import { countOption } from '../project/option-values.js';
import { sessionCommand } from '../project/session-command.js';
import { createAbsence, readEventsSoFar } from '../training/event-log.js';
import { reportWaiting } from '../training/waiting.js';

export const run = sessionCommand(async input => {
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
