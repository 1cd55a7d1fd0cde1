// The output of a run for readers that start early, start late or are slow.
import { describe, expect, it } from 'vitest';
import { createOutputLog, type OutputLog } from '../../lib/studio/train/output-log.js';

const encode = (text: string) => new TextEncoder().encode(text);
const readAll = (log: OutputLog) => new Response(log.read()).text();

/** Has these parts, and is closed. */
function logOf(limit: number | undefined, ...parts: string[]): OutputLog {
  const log = createOutputLog(limit);
  for (const part of parts) log.append(encode(part));
  log.close();
  return log;
}

describe('the output of a run', () => {
  it('is the same for early and late readers', async () => {
    const log = createOutputLog();
    const early = readAll(log);
    log.append(encode('a'));
    const middle = readAll(log);
    log.append(encode('b'));
    log.close();
    expect([await early, await middle, await readAll(log)]).toEqual(['ab', 'ab', 'ab']);
  });

  it('opens before anything is printed', async () => {
    const reader = createOutputLog().read().getReader();
    expect(await reader.read()).toEqual({ done: false, value: new Uint8Array() });
    await reader.cancel();
  });

  it('keeps its bytes unchanged, whatever the chunks', async () => {
    const log = createOutputLog();
    for (const byte of encode('é🙂\r\n')) log.append(Uint8Array.of(byte));
    log.close();
    expect(await readAll(log)).toBe('é🙂\r\n');
  });

  it.each([
    ['keeps the newest bytes up to the limit', 10, ['0123', '4567', '89', 'ab', 'c'], '3456789abc'],
    ['keeps the newest bytes of one that is larger', 10, ['0123456789abcdef'], '6789abcdef'],
    ['starts with a whole character after truncation', 6, ['aa🙂bbbb'], 'bbbb'],
    ['starts with a whole line after truncation', 10, ['first\nsecond\nthird'], 'third'],
    ['keeps a whole line that is as long as the limit', 6, ['first\nthird\n'], 'third\n'],
  ])('%s', async (_, limit, parts, kept) => {
    expect(await readAll(logOf(limit, ...parts))).toBe(kept);
  });

  it('keeps 1 MiB, even of small chunks', async () => {
    const line = `${'x'.repeat(498)}\n`;
    const text = await readAll(logOf(undefined, ...Array<string>(2_400).fill(line)));
    expect(text).toBe(line.repeat(Math.floor(1024 ** 2 / line.length)));
  });

  it('does not keep a line that was erased before it ended, however often it is redrawn', async () => {
    const log = createOutputLog(200);
    const early = readAll(log);
    log.append(encode('Queued\n'));
    for (let step = 1; step <= 100; step++) {
      log.append(encode(`\r\u001b[2Kstep ${step}`));
      if (step === 50) log.append(encode('\r\u001b[2Kevaluated\nstep 50'));
    }
    log.close();
    expect(await readAll(log)).toBe('Queued\n\r\u001b[2Kevaluated\n\r\u001b[2Kstep 100');
    expect(await early).toMatch(/^Queued\n.*evaluated\n.*step 100$/s);
  });

  it.each([
    ['in the middle of a line', 'line 1\nli', 'line 1\nli\n['],
    ['at the end of a line', 'line 1\n', 'line 1\n['],
  ])('tells a reader that fell behind %s how much it missed', async (_, read, seen) => {
    const log = createOutputLog(16);
    const lines = Array.from({ length: 9 }, (_, index) => `line ${index + 1}\n`).join('');
    const reader = log.read().getReader();
    await reader.read();
    log.append(encode(read));
    let text = new TextDecoder().decode((await reader.read()).value);
    log.append(encode(lines.slice(read.length)));
    log.close();
    for (let next = await reader.read(); !next.done; next = await reader.read())
      text += new TextDecoder().decode(next.value);
    const missed = lines.indexOf('line 8') - read.length;
    expect(text).toBe(
      `${seen}${missed} bytes skipped: the output came faster than it was read]\nline 8\nline 9\n`,
    );
  });

  it('drops a reader that cancels while it waits', async () => {
    const log = createOutputLog();
    const reader = log.read().getReader();
    await reader.read();
    const waiting = reader.read();
    await reader.cancel();
    expect((await waiting).done).toBe(true);
    log.append(encode('x'));
    log.close();
    expect(await readAll(log)).toBe('x');
  });
});
