// What a run printed, for readers who come early, late, or slowly.
import { describe, expect, it } from 'vitest';
import { createOutputLog, type OutputLog } from '../../lib/studio/train/output-log.js';

const encode = (text: string) => new TextEncoder().encode(text);
const readAll = (log: OutputLog) => new Response(log.read()).text();

function closed(log: OutputLog): OutputLog {
  log.close();
  return log;
}

describe('the output of a run', () => {
  it('is the same for who was there from the beginning and who comes later', async () => {
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

  it('keeps the bytes as they were, however they were cut', async () => {
    const log = createOutputLog();
    for (const byte of encode('é🙂\r\n')) log.append(Uint8Array.of(byte));
    expect(await readAll(closed(log))).toBe('é🙂\r\n');
  });

  it('keeps the last of what was printed', async () => {
    const log = createOutputLog(10);
    for (const part of ['0123', '4567', '89', 'ab', 'c']) log.append(encode(part));
    expect(await readAll(closed(log))).toBe('3456789abc');
    const large = createOutputLog(10);
    large.append(encode('0123456789abcdef'));
    expect(await readAll(closed(large))).toBe('6789abcdef');
  });

  it('keeps 1 MiB, however small the parts were', async () => {
    const log = createOutputLog();
    const line = `${'x'.repeat(498)}\n`;
    for (let i = 0; i < 2_400; i++) log.append(encode(line));
    expect((await readAll(closed(log))).length).toBe(1024 ** 2);
  });

  it('begins with a whole character where it was cut', async () => {
    const log = createOutputLog(6);
    log.append(encode('aa🙂bbbb'));
    expect(await readAll(closed(log))).toBe('bbbb');
  });

  it('lets a reader that fell behind go on with what is kept', async () => {
    const log = createOutputLog(4);
    log.append(encode('ab'));
    const reader = log.read().getReader();
    await reader.read();
    for (const part of ['cd', 'ef', 'gh']) log.append(encode(part));
    log.close();
    let text = '';
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      text += new TextDecoder().decode(next.value);
    }
    expect(text).toBe('efgh');
  });

  it('forgets a reader that leaves while it waits', async () => {
    const log = createOutputLog();
    const reader = log.read().getReader();
    await reader.read();
    const waiting = reader.read();
    await reader.cancel();
    expect((await waiting).done).toBe(true);
    log.append(encode('x'));
    expect(await readAll(closed(log))).toBe('x');
  });
});
