// Saves a job's events so far as a file: one JSON object per line, each as it was sent.
import { shortId } from '../../lib/console/index.js';
import { studio } from '../studio.js';

/** `cursor`: the number of the last event that is known. */
export async function saveEvents(id: string, cursor: string): Promise<void> {
  const url = URL.createObjectURL(new Blob([await readEvents(id, cursor)], { type: 'application/x-ndjson' }));
  const link = Object.assign(document.createElement('a'), {
    href: url,
    download: `events-${shortId(id)}.ndjson`,
  });
  link.click();
  URL.revokeObjectURL(url);
}

/** All of them, also those that the log no longer keeps. */
async function readEvents(id: string, cursor: string): Promise<string> {
  let text = '';
  for await (const frame of studio.streamJobEvents(id)) {
    text += `${frame.data}\n`;
    if (Number(frame.id) >= Number(cursor)) break;
  }
  return text;
}
