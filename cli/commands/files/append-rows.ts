// Appends rows to a file. Ends an unterminated last line first.
import { appendFile, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

export async function appendRows(file: string, rows: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, (await endsWithin(file)) ? `\n${rows}` : rows);
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
