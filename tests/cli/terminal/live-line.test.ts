// The line that is drawn over, and the lines above it that stay.
import { describe, expect, it } from 'vitest';
import { createLiveLine } from '../../../cli/commands/terminal/live-line.js';

function createScreen(isLive: boolean) {
  let written = '';
  const write = (text: string | Uint8Array) => {
    written += String(text);
  };
  const line = createLiveLine({ write }, { isLive });
  return { line, written: () => written.replaceAll('\r\u001b[2K', '<erase>') };
}

describe('the live line', () => {
  it('is drawn over', () => {
    const { line, written } = createScreen(true);
    line.draw('1/2');
    line.draw('2/2');
    line.draw('2/2');
    line.clear();
    expect(written()).toBe('<erase>1/2<erase>2/2<erase>');
  });

  it('stays below what is printed', () => {
    const { line, written } = createScreen(true);
    line.draw('1/2');
    line.print('a log\n');
    expect(written()).toBe('<erase>1/2<erase>a log\n1/2');
  });

  it('keeps everything back while it is held', () => {
    const { line, written } = createScreen(true);
    line.draw('1/2');
    line.hold();
    line.print('a log\n');
    line.draw('2/2');
    expect(written()).toBe('<erase>1/2<erase>');
    line.release();
    expect(written()).toBe('<erase>1/2<erase>a log\n2/2');
  });

  it('erases nothing of what others write, and is drawn again when their line has ended', () => {
    const { line, written } = createScreen(true);
    line.draw('1/2');
    line.pass('50');
    line.draw('2/2');
    line.pass(Buffer.from(' %'));
    line.pass('\n');
    line.clear();
    expect(written()).toBe('<erase>1/2<erase>50 %\n2/2<erase>');
  });

  it('begins our own lines at the left, whether it is drawn or not', () => {
    for (const isLive of [true, false]) {
      const { line, written } = createScreen(isLive);
      line.pass('no line feed');
      line.print('ours\n');
      line.pass('');
      line.print('more\n');
      expect(written()).toBe('no line feed\nours\nmore\n');
    }
  });

  it('keeps back what others write while it is held, in its order', () => {
    const { line, written } = createScreen(true);
    line.hold();
    line.pass('a');
    line.print('b\n');
    expect(written()).toBe('');
    line.release();
    expect(written()).toBe('a\nb\n');
  });

  it('does not exist where nothing can be drawn over', () => {
    const { line, written } = createScreen(false);
    line.draw('1/2');
    line.print('a log\n');
    line.clear();
    expect(written()).toBe('a log\n');
  });
});
