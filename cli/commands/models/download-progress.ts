// Shows how much of a download has arrived: as a bar on a terminal, in quarters elsewhere.
import { displayWidth, formatBytes } from '../../../lib/console/index.js';
import type { Context } from '../../command.js';
import { everyQuarter } from '../terminal/every-quarter.js';
import { createLiveLine } from '../terminal/live-line.js';
import { renderBar } from '../training/progress.js';

const BAR = { least: 8, most: 30 };
/** It is drawn as often as it changes by this share. */
const DRAWN = 1000;

export function createDownloadProgress(
  name: string,
  { io, screen, json, note }: Pick<Context, 'io' | 'screen' | 'json' | 'note'>,
) {
  const isLive = screen.isLive && !json;
  const line = createLiveLine(io.stdout, { isLive });
  const tellQuarter = everyQuarter(percent => note(`Downloading ${name}: ${percent}%`));
  let drawn = -1;
  line.draw(`Waiting for the Hub, or for another download of ${name}…`.slice(0, screen.width - 1));

  function draw(done: number, total: number): void {
    const share = Math.floor((DRAWN * done) / total);
    if (share === drawn) return;
    drawn = share;
    const text = `Downloading ${name}  ${formatBytes(done)} of ${formatBytes(total)}`;
    const width = Math.min(BAR.most, screen.width - 1 - displayWidth(text) - 2);
    const bar = width < BAR.least ? '' : `${renderBar(done / total, width, screen.style)}  `;
    line.draw(bar + text.slice(0, screen.width - 1));
  }

  return {
    show: isLive ? draw : tellQuarter,
    clear: () => line.clear(),
  };
}
