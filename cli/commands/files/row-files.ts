// Files of rows to train on: those of a chat grow, and a whole data set gets a new one. Only their owner can read new files,
// since they contain conversations.
import { createWriteStream } from 'node:fs';
import { appendFile, mkdir, open, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CommandError } from '../../command.js';
import { toSafeLine } from '../../style.js';

/** Ends an unterminated last line first. */
export async function appendRows(folder: string, name: string, rows: string): Promise<void> {
  const file = resolve(folder, name);
  try {
    await mkdir(dirname(file), { recursive: true });
    await appendFile(file, (await endsWithin(file)) ? `\n${rows}` : rows, { mode: 0o600 });
  } catch (error) {
    throw notWritten(name, error);
  }
}

/** Whether the file's last line is unterminated. */
async function endsWithin(file: string): Promise<boolean> {
  const handle = await open(file, 'r').catch(() => null);
  if (!handle) return false;
  try {
    const { size } = await handle.stat();
    if (size === 0) return false;
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer[0] !== LINE_BREAK;
  } finally {
    await handle.close();
  }
}

const LINE_BREAK = 10;

/**
 * Refuses a file that exists: rows that are saved twice would be learned twice. Returns how many rows there are. What was
 * written in part is removed.
 */
export async function writeNewRows(folder: string, name: string, lines: Blob): Promise<number> {
  const path = resolve(folder, name);
  let rows = 0;
  let isOwn = false;
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    file.once('open', () => {
      isOwn = true;
    });
    await pipeline(
      lines.stream(),
      async function* count(chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          for (const byte of chunk) if (byte === LINE_BREAK) rows++;
          yield chunk;
        }
      },
      file,
    );
    return rows;
  } catch (error) {
    if (isOwn) await rm(path, { force: true });
    throw notWritten(name, error);
  }
}

function notWritten(name: string, error: unknown): CommandError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = code === 'EEXIST' ? 'it exists already. Choose another file.' : `${message}.`;
  return new CommandError(`Could not write ${toSafeLine(name)}: ${reason}`);
}
