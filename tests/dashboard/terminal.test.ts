import { describe, expect, it } from 'vitest';
import { commandProblem, splitCommandLine } from '../../cli/dashboard/core/command-line.js';
import { copySequence } from '../../cli/dashboard/terminal/clipboard.js';
import { createFullScreen } from '../../cli/dashboard/terminal/full-screen.js';
import { createKeyboard } from '../../cli/dashboard/terminal/keyboard.js';
import { createPainter } from '../../cli/dashboard/terminal/painter.js';
import { readKeys, readRest } from '../../cli/dashboard/terminal/read-keys.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { cellsOf } from './support/cells-of.js';

describe('reading keys', () => {
  const names = (text: string) =>
    readKeys(text).inputs.map(input => {
      if (input.kind === 'mouse') return `${input.action} ${input.row},${input.column}`;
      return input.kind === 'key' ? input.name : `${input.kind}:${input.text}`;
    });

  it('knows arrows, pages and what is held', () => {
    expect(names('\u001b[A\u001bOB\u001b[5~\u001b[1;2D\u001b[Z\u001b[H\u001b[F')).toEqual([
      'up',
      'down',
      'pageup',
      'shift-left',
      'shift-tab',
      'home',
      'end',
    ]);
    expect(names('\r\t\u007f\u0003\u0015')).toEqual(['enter', 'tab', 'backspace', 'ctrl-c', 'ctrl-u']);
  });

  it('tells text from keys within one chunk', () => {
    expect(names('2/zebra\r')).toEqual(['text:2/zebra', 'enter']);
    expect(names('翻é')).toEqual(['text:翻é']);
  });

  it('keeps a sequence that was cut in two, and knows a lone escape when nothing follows', () => {
    expect(readKeys('a\u001b[').rest).toBe('\u001b[');
    expect(names('\u001b[1;5')).toEqual([]);
    expect(readKeys('\u001b').rest).toBe('\u001b');
    expect(readRest('\u001b')).toEqual([{ kind: 'key', name: 'escape' }]);
    expect(readRest('\u001b[')).toEqual([]);
    expect(names('\u001bq')).toEqual(['escape', 'text:q']);
  });

  it('takes a paste as a whole, whatever is in it', () => {
    expect(names('\u001b[200~rm -rf\r\u001b[A\u001b[201~x')).toEqual(['paste:rm -rf\r\u001b[A', 'text:x']);
    expect(readKeys('\u001b[200~half').rest).toBe('\u001b[200~half');
  });

  it('leaves out what a terminal answers, and keys without a name', () => {
    expect(names('\u001b[?62;c\u001b]11;rgb:0/0/0\u0007\u001b[15~\u001bOP\u0000')).toEqual([]);
  });

  it('knows the wheel and a click, and leaves out buttons that are let go, other buttons and moves', () => {
    expect(names('\u001b[<0;3;4M\u001b[<0;3;4m\u001b[<64;1;1M\u001b[<65;300;90M\u001b[<16;2;2M')).toEqual([
      'click 3,2',
      'wheelUp 0,0',
      'wheelDown 89,299',
      'click 1,1',
    ]);
    expect(names('\u001b[<1;3;4M\u001b[<2;3;4M\u001b[<32;3;4M\u001b[<66;3;4M')).toEqual([]);
  });
});

describe('the keyboard', () => {
  function listen(isTyping: () => boolean = () => false) {
    const heard: string[] = [];
    const clock = createVirtualClock();
    const keyboard = createKeyboard(
      {
        press: key => heard.push(key),
        get isTyping() {
          return isTyping();
        },
        type: bytes => heard.push(`typed ${bytes.replace('\u001b', 'ESC').replace('\u007f', 'DEL')}`),
      },
      clock,
    );
    return { heard, keyboard, clock };
  }

  it('presses letter by letter where nothing is typed', async () => {
    const { heard, keyboard, clock } = listen();
    keyboard.feed('jj\u001b[B\u001b');
    await clock.pass(29);
    expect(heard).not.toContain('escape');
    await clock.pass(1);
    await keyboard.settled();
    expect(heard).toEqual(['j', 'j', 'down', 'escape']);
  });

  it('types as a whole where a field is, and keeps keys that are no text out of it', async () => {
    const { heard, keyboard } = listen(() => true);
    keyboard.feed('hello\u001b[D\u007f\r');
    await keyboard.settled();
    expect(heard).toEqual(['typed hello', 'typed ESC[D', 'typed DEL', 'enter']);
  });

  it('types the rest once a key has opened a field', async () => {
    const heard: string[] = [];
    const { keyboard } = (() => {
      const keyboard = createKeyboard({
        press: key => heard.push(key),
        get isTyping() {
          return heard.includes('/');
        },
        type: bytes => heard.push(`typed ${bytes}`),
      });
      return { keyboard };
    })();
    keyboard.feed('2/abc');
    await keyboard.settled();
    expect(heard).toEqual(['2', '/', 'typed abc']);
  });

  it('joins a sequence that came in two chunks', async () => {
    const { heard, keyboard } = listen();
    keyboard.feed('\u001b');
    keyboard.feed('[A');
    await keyboard.settled();
    expect(heard).toEqual(['up']);
  });

  it('never presses what was pasted, and pastes one line', async () => {
    const outside = listen();
    outside.keyboard.feed('\u001b[200~q\u001b[201~');
    await outside.keyboard.settled();
    expect(outside.heard).toEqual([]);
    const inside = listen(() => true);
    inside.keyboard.feed('\u001b[200~one\r\n  two\n\u001b[201~');
    await inside.keyboard.settled();
    expect(inside.heard).toEqual(['typed one two']);
  });

  it('keeps a space at the end of what came in one piece', async () => {
    const { heard, keyboard } = listen(() => true);
    keyboard.feed('charged ');
    keyboard.feed('twice');
    keyboard.feed('\u001b[200~for \n\u001b[201~');
    await keyboard.settled();
    expect(heard).toEqual(['typed charged ', 'typed twice', 'typed for']);
  });
});

describe('painting frames', () => {
  function watch() {
    const written: string[] = [];
    const target = { write: (text: string) => written.push(text) };
    const clock = createVirtualClock();
    return { written, painter: createPainter(target, clock), target, clock };
  }
  const frame = (...rows: string[]) => cellsOf(10, 4, ...rows);

  it('clears the screen first, and then writes only what changed, each to its place', () => {
    const { written, painter } = watch();
    painter.paint(frame('one', 'two'));
    painter.flush();
    painter.paint(frame('one', 'TWO'));
    painter.flush();
    expect(written).toEqual([
      '\u001b[?2026h\u001b[0m\u001b[2J\u001b[1;1Hone\u001b[2;1Htwo\u001b[?2026l',
      '\u001b[?2026h\u001b[2;1HTWO\u001b[?2026l',
    ]);
  });

  it('writes nothing when nothing changed', () => {
    const { written, painter } = watch();
    for (let time = 0; time < 5; time++) {
      painter.paint(frame('one'));
      painter.flush();
    }
    expect(written).toHaveLength(1);
  });

  it('draws only the latest of frames that come close together', async () => {
    const { written, painter, clock } = watch();
    for (let count = 0; count < 100; count++) painter.paint(frame(`frame ${count}`));
    await clock.pass(0);
    expect(written).toHaveLength(1);
    expect(written[0]).toContain('frame 99');
    painter.paint(frame('the next'));
    await clock.pass(66);
    expect(written).toHaveLength(1);
    await clock.pass(1);
    expect(written).toHaveLength(2);
  });

  it('writes all again once the terminal has forgotten it', () => {
    const { written, painter } = watch();
    painter.paint(frame('one'));
    painter.flush();
    painter.forget();
    painter.flush();
    expect(written[1]).toContain('\u001b[2J');
    expect(written[1]).toContain('one');
  });

  it('waits for a terminal that cannot keep up, and then gives it the latest', () => {
    const { written, target } = watch();
    let drain = () => {};
    const slow = {
      ...target,
      writableNeedDrain: true,
      once: (_: string, react: () => void) => (drain = react),
    };
    const painter = createPainter(slow, createVirtualClock());
    painter.paint(frame('one'));
    painter.flush();
    painter.paint(frame('two'));
    expect(written).toEqual([]);
    slow.writableNeedDrain = false;
    drain();
    expect(written).toHaveLength(1);
    expect(written[0]).toContain('two');
  });

  it('writes nothing after it was stopped', () => {
    const { written, painter } = watch();
    painter.paint(frame('one'));
    painter.stop();
    painter.flush();
    expect(written).toEqual([]);
  });
});

describe('the full screen', () => {
  function take(options = {}) {
    const written: string[] = [];
    const modes: boolean[] = [];
    const screen = createFullScreen(
      { write: text => written.push(text) },
      { isTTY: true, setRawMode: isRaw => modes.push(isRaw) },
      options,
    );
    return { written, modes, screen };
  }

  it('is given back once, with all that was changed', () => {
    const { written, modes, screen } = take();
    screen.enter();
    screen.leave();
    screen.leave();
    expect(written).toHaveLength(2);
    for (const mode of ['?1049', '?25', '?7', '?2004']) expect(written.join('')).toContain(`\u001b[${mode}`);
    expect(written[1]!.endsWith('\u001b[?1049l')).toBe(true);
    expect(modes).toEqual([true, false]);
  });

  it('has a mouse where one is wanted, and not afterwards', () => {
    const { written, screen } = take({ hasMouse: true });
    screen.enter();
    screen.leave();
    expect(written[0]).toContain('\u001b[?1000h\u001b[?1006h');
    expect(written[1]).toContain('\u001b[?1006l\u001b[?1000l');
    const without = take();
    without.screen.enter();
    without.screen.leave();
    expect(without.written.join('')).not.toMatch(/\?100[06]/);
  });

  it('is taken again, whole, when something else has used the terminal meanwhile', () => {
    const { written, modes, screen } = take();
    const before = process.listenerCount('exit');
    screen.enter();
    screen.enter();
    expect(written[1]).toBe(written[0]);
    expect(modes).toEqual([true, false, true]);
    screen.leave();
    expect(process.listenerCount('exit')).toBe(before);
  });

  it('is given back when the process ends, whatever ends it', () => {
    const { written, screen } = take();
    const before = process.listenerCount('exit');
    screen.enter();
    const added = process.listeners('exit').at(-1) as () => void;
    added();
    expect(written[1]).toContain('\u001b[?1049l');
    expect(process.listenerCount('exit')).toBe(before);
  });

  it('is written to no more once the terminal is gone', () => {
    const { written, screen } = take();
    const before = process.listenerCount('exit');
    screen.enter();
    screen.abandon();
    screen.leave();
    expect(written).toHaveLength(1);
    expect(process.listenerCount('exit')).toBe(before);
  });
});

describe('copying', () => {
  it('asks the terminal for it', () => {
    expect(copySequence('hi 翻')).toBe(`\u001b]52;c;${Buffer.from('hi 翻').toString('base64')}\u0007`);
  });

  it('goes through GNU screen in pieces', () => {
    const sequence = copySequence('x'.repeat(2000), { STY: '1.pts' })!;
    expect(sequence.startsWith('\u001bP\u001b]52;c;')).toBe(true);
    expect(
      sequence
        .split('\u001bP')
        .slice(1)
        .every(piece => piece.length < 600 && piece.endsWith('\u001b\\')),
    ).toBe(true);
  });

  it('refuses what is too long', () => {
    expect(copySequence('x'.repeat(100_000))).toBeNull();
  });
});

describe('a command line', () => {
  const split = (text: string) => splitCommandLine(text);

  it('becomes arguments, with quotes as a shell has them', () => {
    expect(split('jobs list --json')).toEqual({ args: ['jobs', 'list', '--json'] });
    expect(split(`svc keys issue demo --label "two words" '' a\\ b "it\\"s" 'a\\b'`)).toEqual({
      args: ['keys', 'issue', 'demo', '--label', 'two words', '', 'a b', 'it"s', 'a\\b'],
    });
    expect(split(`--label=un"qu"o'ted'`)).toEqual({ args: ['--label=unquoted'] });
    expect(split('   ')).toEqual({ args: [] });
  });

  it('never does what only a shell does', () => {
    expect(split('jobs $HOME `id` $(id) *.ts | cat > x && y ; z')).toEqual({
      args: ['jobs', '$HOME', '`id`', '$(id)', '*.ts', '|', 'cat', '>', 'x', '&&', 'y', ';', 'z'],
    });
  });

  it('says when a quote is open', () => {
    expect(split(`jobs "x`)).toEqual({ problem: 'Missing closing ".' });
  });

  it('runs nothing that wants a terminal for itself', () => {
    expect(commandProblem(['dev'])).toContain('svc dev');
    expect(commandProblem(['watch', 'x'])).toContain('svc watch');
    expect(commandProblem(['jobs', 'list'])).toBeNull();
  });
});
