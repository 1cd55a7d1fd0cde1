// What svc import openai shows while it works: a line that is redrawn on a terminal, and a line for each job elsewhere.
import { formatBytes, formatCount, formatDuration } from '../../../lib/console/index.js';
import { type AccountJob, suffixOf } from '../../../lib/sdk/openai-account/index.js';
import type { Context } from '../../command.js';
import { toSafeLine } from '../../style.js';
import type { createLiveLine } from '../terminal/live-line.js';

/** Shorter waits pass before anyone wonders. */
const TOLD_WAIT_MS = 5000;

export function createWatch(
  { screen, json, note }: Pick<Context, 'screen' | 'json' | 'note'>,
  line: ReturnType<typeof createLiveLine>,
) {
  const isLive = screen.isLive && !json;
  let place = '';
  const draw = (text: string) => line.draw(`${place}${text}`.slice(0, screen.width - 1));
  return {
    onJob(job: AccountJob, index: number, all: number): void {
      const name = toSafeLine(suffixOf(job) ?? job.id);
      place = `${formatCount(index + 1)} of ${formatCount(all)}  ${name}  `;
      if (isLive) draw('');
      else note(`Importing ${name} (${formatCount(index + 1)} of ${formatCount(all)})`);
    },
    onProgress({ name, done, total }: { name: string; done: number; total: number | null }): void {
      const of = total !== null && total >= done ? ` of ${formatBytes(total)}` : '';
      draw(`${toSafeLine(name)} ${formatBytes(done)}${of}`);
    },
    onEvents: (count: number) => draw(`${formatCount(count)} events`),
    onAnswers(done: number, all: number): void {
      place = '';
      draw(`${formatCount(done)} of ${formatCount(all)} answers`);
    },
    onWait({ ms, why }: { ms: number; why: string }): void {
      if (ms >= TOLD_WAIT_MS) note(`${why} Trying again in ${formatDuration(ms)}.`);
    },
    clear: () => line.clear(),
  };
}
