// Saves the answers of a conversation as a file of rows to train on.
import { type ChatTurn, chatRows } from '../../lib/console/index.js';
import { saveFile } from '../save-file.js';

export function saveRows(turns: readonly ChatTurn[], name: string): void {
  saveFile(`${name.replaceAll(' ', '-')}.jsonl`, 'application/jsonl', chatRows(turns));
}
