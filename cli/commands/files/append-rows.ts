// Appends rows to a file, after ending an unterminated last line, or writes them to a new one.
import { appendFile, mkdir, open, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export async function appendRows(file: string, rows: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, (await endsWithin(file)) ? `\n${rows}` : rows);
}

/** Refuses a file that exists: rows that are saved twice would be learned twice. */
export async function writeNewRows(file: string, rows: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, rows, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new Error('It exists already. Choose another file.') : error;
  });
}

/** Whether the file's last line is unterminated. */
async function endsWithin(file: string): Promise<boolean> {
  const handle = await open(file, 'r').catch(() => null);
  if (!handle) return false;
  try {
    const { size } = await handle.stat();
    if (size === 0) return false;
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer[0] !== 0x0a;
  } finally {
    await handle.close();
  }
}
