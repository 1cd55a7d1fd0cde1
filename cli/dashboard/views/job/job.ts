// A job's page: its loss chart, its facts and its event log.
import type { JobSummary } from '../../../../lib/contract/index.js';
import type { Context, View } from '../../core/context.js';
import { createScroller } from '../../core/scroller.js';
import { createStore } from '../../core/store.js';
import { jobCommands } from './commands.js';
import { drawJob, jobStatus, roomOf } from './draw.js';
import { createJobUpdates } from './job-updates.js';
import { logSource, shownLog } from './log-drawing.js';
import { sampleSource } from './sample-lines.js';
import { initialJobPage, reduceJobPage } from './state.js';

/** `shownJobs`: the list as it was shown. */
export function createJob(context: Context, shownJobs: () => readonly JobSummary[]): View {
  const { changed } = context;
  const store = createStore(reduceJobPage, initialJobPage, changed);
  const updates = createJobUpdates(context, store);
  const room = () => roomOf('log', store.state, context.canvas);
  const scroller = createScroller({
    source: () =>
      store.state.showsSamples
        ? sampleSource(store.state, room().width)
        : logSource(shownLog(store.state), room().width, store.state.logChoices),
    height: () => room().height,
    changed,
  });

  return {
    scopes: ['job', 'anywhere'],
    commands: () => jobCommands({ context, store, scroller, updates, shownJobs }),
    enter(id) {
      store.dispatch({ type: 'opened', id: id ?? '' });
      scroller.reset();
      updates.start();
    },
    leave: updates.stop,
    draw: canvas => drawJob(store.state, scroller.rows(), canvas),
    foot: () => jobStatus(store.state, scroller.isFollowing),
  };
}
