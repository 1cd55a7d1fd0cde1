// Saves a job's events so far as a file: one JSON object per line, each as it was sent.
import { shortId } from '../../lib/console/index.js';
import { saveFile } from '../save-file.js';
import { studio } from '../studio.js';

/** `cursor`: the number of the last event that is known. */
export async function saveEvents(id: string, cursor: string): Promise<void> {
  saveFile(`events-${shortId(id)}.ndjson`, 'application/x-ndjson', await readEvents(id, cursor));
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
