// What a job's page says where it has nothing to show, and why.
import { isFinalStatus } from '../../contract/index.js';
import { preparingText } from '../text/row-reading.js';
import { type JobView, shownStatus } from './job-view.js';

/** Nothing of the job's log has arrived: it is still being read, or the cloud is away. */
export const NOT_LOADED = 'Not loaded yet';

/** A job that has ended has a log, so one without any has not arrived. */
function isUnread({ polled, streamed, ended }: JobView): boolean {
  return streamed === null && !ended && polled !== null && isFinalStatus(polled.status);
}

/** Instead of a chart with nothing to draw. */
export function noLossText(view: JobView): string {
  if (isUnread(view)) return NOT_LOADED;
  const status = shownStatus(view);
  if (status !== null && isFinalStatus(status)) return 'No losses were logged.';
  if (view.preparing) return preparingText(view.preparing);
  return status === 'queued' ? 'Waiting in the queue.' : 'Waiting for the first loss…';
}

/** Instead of a log without entries. */
export function noEventsText(view: JobView): string {
  return isUnread(view) ? NOT_LOADED : 'No events yet';
}
