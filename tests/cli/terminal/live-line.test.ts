// The line that is drawn over, and the lines above it that stay.
import { describe, expect, it } from 'vitest';
import { createLiveLine } from '../../../cli/commands/terminal/live-line.js';

function createScreen(isLive: boolean) {
  let written = '';
  const write = (text: string) => {
    written += text;
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

  it('does not exist where nothing can be drawn over', () => {
    const { line, written } = createScreen(false);
    line.draw('1/2');
    line.print('a log\n');
    line.clear();
    expect(written()).toBe('a log\n');
  });
});
