// Saves files through browser downloads. Loaded on demand.
import { type ChatTurn, chatRows, shortId } from '../lib/console/index.js';
import { studio } from './studio.js';

/** A job's events so far, one JSON object per line, exactly as sent. `cursor`: the number of the last known event. */
export async function saveEvents(id: string, cursor: string): Promise<void> {
  saveFile(`events-${shortId(id)}.ndjson`, 'application/x-ndjson', await readEvents(id, cursor));
}

/** All events, including those the log on screen has dropped. */
async function readEvents(id: string, cursor: string): Promise<string> {
  let text = '';
  for await (const frame of studio.streamJobEvents(id)) {
    text += `${frame.data}\n`;
    if (Number(frame.id) >= Number(cursor)) break;
  }
  return text;
}

/** A conversation's answers as training rows. */
export function saveRows(turns: readonly ChatTurn[], name: string): void {
  saveFile(`${name.replaceAll(' ', '-')}.jsonl`, 'application/jsonl', chatRows(turns));
}

/** The rows of the trainer's data set. */
export async function saveDataRows(): Promise<void> {
  saveFile('rows.jsonl', 'application/jsonl', await studio.readDataRows());
}

function saveFile(name: string, type: string, content: string | Blob): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
