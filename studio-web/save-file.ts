// What the browser app saves as files, through the browser's downloads. Loaded when something is saved.
import { type ChatTurn, chatRows, shortId } from '../lib/console/index.js';
import { studio } from './studio.js';

/** A job's events so far: one JSON object per line, each as it was sent. `cursor`: the number of the last event that is known. */
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

/** The answers of a conversation, as rows to train on. */
export function saveRows(turns: readonly ChatTurn[], name: string): void {
  saveFile(`${name.replaceAll(' ', '-')}.jsonl`, 'application/jsonl', chatRows(turns));
}

function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
