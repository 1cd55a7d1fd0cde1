// A run as text: a line for each thing that happened and, on a terminal, one below them that shows the progress.
import type { Output } from '../../command.js';
import { toSafeLine, toSafeText } from '../../style.js';
import { createLiveLine } from '../terminal/live-line.js';
import type { Screen } from '../terminal/screen.js';
import { advance, noProgress } from '../training/progress.js';
import { renderProgress } from '../training/progress-text.js';
import { drawStatus } from '../training/status.js';
import { endText, eventText } from './event-text.js';
import type { Reporter } from './reporter.js';

export function createTextReporter(stdout: Output, screen: Screen): Reporter {
  const line = createLiveLine(stdout, screen);
  let progress = noProgress;
  let isAway = false;
  const note = (text: string) => line.print(`${toSafeText(text)}\n`);

  return {
    note,
    onQueued: ({ name, id }) => note(`Queued "${toSafeLine(name)}", job ${id}.`),
    onEvent(event) {
      if (isAway) note('The cloud is back.');
      isAway = false;
      progress = advance(progress, event);
      const text = eventText(event, progress, screen.isLive);
      if (text !== null) note(text);
      if (event.type === 'training.started' || event.type === 'training.log')
        line.draw(renderProgress(progress, screen.width - 1, screen.style));
    },
    onInterrupted({ message }) {
      if (!isAway) note(`! The cloud went away: ${message} Trying again.`);
      isAway = true;
    },
    onEnd(result) {
      line.clear();
      const text = toSafeText(endText(result, progress));
      line.print(`${drawStatus(result.status, screen.style)}${text}\n`);
    },
    clear: line.clear,
    hold: line.hold,
    release: line.release,
    output: { write: line.print },
  };
}
