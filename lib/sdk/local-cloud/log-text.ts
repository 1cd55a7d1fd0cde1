// The cloud's log for people: JSON lines become a time and a sentence, any other output stays as it is.
import { open } from 'node:fs/promises';
import { join } from 'node:path';

export function logPath(folder: string): string {
  return join(folder, 'logs', 'cloud.log');
}

/** What was written behind an offset, and where it ends. A file that became shorter was begun anew. */
export async function readLogText(path: string, offset: number): Promise<{ text: string; end: number }> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!file) return { text: '', end: 0 };
  try {
    const { size } = await file.stat();
    const from = offset > size ? 0 : offset;
    const buffer = Buffer.alloc(size - from);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
    const whole = buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
    return { text: buffer.toString('utf8', 0, whole), end: from + whole };
  } finally {
    await file.close();
  }
}

/** A line of the log without its JSON. */
export function toLogText(line: string): string {
  const { at, message, error, method, path, requestId } = parse(line);
  if (typeof at !== 'string') return line;
  const what = message ?? `${method} ${path} failed (request ${requestId})`;
  return [`${at}  ${what}`, ...(typeof error === 'string' ? [indent(error)] : [])].join('\n');
}

function parse(line: string): Record<string, unknown> {
  try {
    return (JSON.parse(line) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}
