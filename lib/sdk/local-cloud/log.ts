// The cloud's log: read from a given position, even across log rotation, and made readable.
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { logFileIn, outputFileIn, ROTATED_LOGS, unlessMissing } from '../../system/index.js';

/** A position in one of the files. `file` is the inode number, which survives rotation. */
export interface LogPlace {
  file: bigint;
  end: number;
}

interface LogFile {
  number: bigint;
  size: number;
  handle: FileHandle;
}

/** The complete lines after a position, and where they end. Without a position: those of the latest two files. */
export async function readLogText(
  path: string,
  after: LogPlace | null,
): Promise<{ text: string; place: LogPlace | null }> {
  return withFiles(path, async files => {
    const known = files.findIndex(({ number }) => number === after?.file);
    let place = after;
    let text = '';
    for (const file of files.slice(0, known < 0 ? 2 : known + 1).reverse()) {
      const from = place?.file === file.number && place.end <= file.size ? place.end : 0;
      const read = await readLines(file, from);
      text += read.text;
      place = { file: file.number, end: read.end };
    }
    return { text, place };
  });
}

/** @internal */
export async function findLogEnd(path: string): Promise<LogPlace | null> {
  return withFiles(path, async ([file]) => (file ? { file: file.number, end: file.size } : null));
}

/** Newest first. A file rotated while they are being opened may show up twice. */
async function withFiles<T>(path: string, use: (files: LogFile[]) => Promise<T>): Promise<T> {
  const files: LogFile[] = [];
  const handles: FileHandle[] = [];
  try {
    for (const ending of ['', ...ROTATED_LOGS]) {
      const handle = await unlessMissing(open(path + ending, 'r'), null);
      if (!handle) continue;
      handles.push(handle);
      const { ino, size } = await handle.stat({ bigint: true });
      if (!files.some(({ number }) => number === ino))
        files.push({ number: ino, size: Number(size), handle });
    }
    return await use(files);
  } finally {
    for (const handle of handles) await handle.close();
  }
}

async function readLines({ handle, size }: LogFile, from: number): Promise<{ text: string; end: number }> {
  const buffer = Buffer.alloc(size - from);
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
  const whole = buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
  return { text: buffer.toString('utf8', 0, whole), end: from + whole };
}

/** What a cloud's folder held before a start. */
export interface LogMarks {
  log: LogPlace | null;
  output: string;
}

export async function markLogs(folder: string): Promise<LogMarks> {
  return { log: await findLogEnd(logFileIn(folder)), output: await readOutput(folder) };
}

/** A process that crashed may not have ended its last line. */
const readOutput = (folder: string) => unlessMissing(readFile(outputFileIn(folder), 'utf8'), '');

/** Enough to find where older output ends. Of much output, a cloud moves only the end. */
const TAIL = 4096;

/** What was written since, made readable. A cloud that starts moves older output into the log, as one line, and empties its file. */
export async function readOwnLines(folder: string, before: LogMarks): Promise<string[]> {
  const [log, output] = await Promise.all([readLogText(logFileIn(folder), before.log), readOutput(folder)]);
  const older = linesOf(before.output).join('\n');
  const tail = older.slice(-TAIL);
  let isMoved = false;
  const logged = linesOf(log.text).flatMap(line => {
    const { message, error } = parse(line);
    const moved = [message, error].join('\n');
    const at = moved.indexOf(tail);
    if (older === '' || at < 0 || (at > 0 && older.length <= TAIL)) return toLogText(line);
    isMoved = true;
    return linesOf(moved.slice(at + tail.length));
  });
  const isKept = !isMoved && output.startsWith(before.output);
  return [...logged, ...linesOf(isKept ? output.slice(before.output.length) : output)];
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter(Boolean);
}

/** Makes a line of the log readable: JSON becomes a time and a sentence; other output stays as it is. */
export function toLogText(line: string): string {
  const { at, message, error, method, path, requestId } = parse(line);
  if (typeof at !== 'string') return line;
  const what = [message ?? `${method} ${path} failed`, requestId && `(request ${requestId})`]
    .filter(Boolean)
    .join(' ');
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
