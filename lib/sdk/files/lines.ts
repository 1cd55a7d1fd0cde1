// Files of lines that only grow. A process that is killed leaves at most a part of a line, which is cut off before more follow.
import { createReadStream } from 'node:fs';
import { open, stat, truncate } from 'node:fs/promises';
import { unlessMissing } from '../../system/index.js';

const LINE_FEED = 0x0a;

interface Line {
  line: string;
  /** Where it ends in the file. */
  end: number;
}

/** The whole lines of a file; none if there is no file. */
export async function* wholeLines(path: string): AsyncGenerator<Line> {
  if (!(await unlessMissing(stat(path), null))) return;
  for await (const { isWhole, ...line } of splitLines(path)) if (isWhole) yield line;
}

/** All lines of a file, also a last one without a line feed. Nothing else ends a line: U+2028 may stand in JSON. */
export async function* allLines(path: string): AsyncGenerator<string> {
  for await (const { line } of splitLines(path)) yield line.replace(/\r$/, '');
}

async function* splitLines(path: string): AsyncGenerator<Line & { isWhole: boolean }> {
  let rest: Buffer = Buffer.alloc(0);
  let end = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let to = bytes.indexOf(LINE_FEED); to >= 0; to = bytes.indexOf(LINE_FEED, from)) {
      end += to + 1 - from;
      yield { line: bytes.toString('utf8', from, to), end, isWhole: true };
      from = to + 1;
    }
    rest = bytes.subarray(from);
  }
  if (rest.length > 0) yield { line: rest.toString('utf8'), end: end + rest.length, isWhole: false };
}

/** Cuts off what a killed process left behind its last whole line, and returns the lines. */
export async function readWholeLines(path: string): Promise<string[]> {
  const lines: string[] = [];
  let length = 0;
  for await (const { line, end } of wholeLines(path)) {
    lines.push(line);
    length = end;
  }
  await cutAfter(path, length);
  return lines;
}

/** Cuts off what follows the last whole line, which ends here. */
export async function cutAfter(path: string, length: number): Promise<void> {
  const found = await unlessMissing(stat(path), null);
  if (found && found.size > length) await truncate(path, length);
}

/** Appends lines, and returns once they are on disk. */
export async function appendLines(path: string, lines: readonly string[], mode?: number): Promise<void> {
  const file = await open(path, 'a', mode);
  try {
    await file.writeFile(lines.map(line => `${line}\n`).join(''));
    await file.sync();
  } finally {
    await file.close();
  }
}
