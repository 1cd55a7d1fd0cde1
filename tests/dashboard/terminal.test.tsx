// What lies between Ink and the terminal.
import { Box, Text, useInput } from 'ink';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { Clickable, ClickContext, createClickTargets } from '../../cli/dashboard/components/clickable.js';
import { copySequence, createFullScreen } from '../../cli/dashboard/terminal/full-screen.js';
import { createInputReader } from '../../cli/dashboard/terminal/read-input.js';
import { OrderlyInput } from '../../cli/dashboard/terminal/use-orderly-input.js';
import { useTerminal } from '../../cli/dashboard/terminal/use-terminal.js';
import { until } from '../support/until.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { render } from './support/render.js';

const ESC = '\u001b';
const visible = (text: string) => text.replaceAll(ESC, 'ESC');

function read(...pieces: string[]) {
  const reader = createInputReader();
  const inputs = pieces.flatMap(piece => reader.read(piece)).map(describeInput);
  return { inputs, isUnfinished: reader.isUnfinished, rest: reader.readRest().map(describeInput) };
}

function describeInput(input: ReturnType<ReturnType<typeof createInputReader>['read']>[number]) {
  if ('pointed' in input) return `${input.pointed.action} ${input.pointed.row},${input.pointed.column}`;
  return visible(Object.entries(input).flat().join(' '));
}

it.each<[what: string, pieces: string[], inputs: string[]]>([
  ['arrows', ['\u001b[A\u001bOB\u001b[1;2D'], ['key ESC[A', 'key ESCOB', 'key ESC[1;2D']],
  ['other keys with a name', ['\u001b[5~\u001b[Z'], ['key ESC[5~', 'key ESC[Z']],
  ['control keys, apart from text', ['2/zebra\r'], ['text 2/zebra', 'key \r']],
  ['text of any script', ['翻é'], ['text 翻é']],
  ['an escape, and then text', ['\u001b', 'q'], ['key ESC', 'text q']],
  ['an escape, and then an arrow', ['\u001b', '\u001b[A'], ['key ESC', 'key ESC[A']],
  ['two escapes, and then text', ['\u001b\u001b', 'b'], ['key ESC', 'key ESC', 'text b']],
  [
    'keys with Alt that edit text',
    ['\u001bb\u001bdf\u001b\u007f\u001b\u001b[D\u001b[1;3C'],
    ['key ESCb', 'key ESCd', 'text f', 'key ESC\b', 'key ESCESC[D', 'key ESC[1;3C'],
  ],
  ['no others with Alt', ['\u001bqa\u001b,\u001bé\u001b🚀\u001b\r\u001b\u0003b'], ['text a', 'text b']],
  ['an escape before what is pasted', ['\u001b\u001b[200~b\u001b[201~'], ['key ESC', 'pasted b']],
  ['Backspace and Delete', ['\u007f\u001b[3~'], ['key \b', 'key ESC[3~']],
  ['a sequence in pieces', ['a\u001b', '[', '1;2', 'Db'], ['text a', 'key ESC[1;2D', 'text b']],
  ['no replies, nor keys without a name', ['\u001b[?62;cx\u001b[15~\u001b[[A\u001bOP\u001b[29~'], ['text x']],
  ['a click', ['\u001b[<0;3;4M\u001b[<0;3;4m'], ['click 3,2']],
  ['the wheel', ['\u001b[<64;1;1M\u001b[<65;300;90M'], ['wheelUp 0,0', 'wheelDown 89,299']],
  ['the mouse with a key held', ['\u001b[<16;2;2M'], ['click 1,1']],
  ['no other buttons, and no moves', ['\u001b[<1;3;4M\u001b[<2;3;4M\u001b[<32;3;4M\u001b[<66;3;4M'], []],
  ['pasted text as a whole', ['\u001b[200~rm -rf\r\u001b[A\u001b[201~x'], ['pasted rm -rf ', 'text x']],
  ['pasted text in pieces', ['\u001b[20', '0~on', 'e\u001b', '[201', '~\r'], ['pasted one', 'key \r']],
  ['one line of what is pasted', ['\u001b[200~one\r\n  two\n\u001b[201~'], ['pasted one two']],
  ['the space at its end, but no keys in it', ['\u001b[200~a\tb\u0003c \u001b[201~'], ['pasted a bc ']],
  ['nothing of an empty paste', ['\u001b[200~\n\u001b[201~'], []],
])('reading what a terminal sends finds %s', (_what, pieces, inputs) => {
  expect(read(...pieces)).toEqual({ inputs, isUnfinished: false, rest: [] });
});

it('reading what a terminal sends waits for the rest of a sequence, and knows a lone escape when nothing follows', () => {
  expect(read('a\u001b')).toEqual({ inputs: ['text a'], isUnfinished: true, rest: ['key ESC'] });
  expect(read('\u001b[1;5')).toEqual({ inputs: [], isUnfinished: true, rest: [] });
  expect(read('\u001b[200~half')).toMatchObject({ inputs: [], isUnfinished: false });
});

describe('input in its order', () => {
  /** What is heard, by a component that listens with what it has drawn. `/` opens a field, Enter closes it. */
  async function open() {
    const clock = createVirtualClock();
    const heard: string[] = [];
    const field = { isOpen: false };

    function Listener() {
      const [count, setCount] = useState(0);
      useInput((input, key) => {
        if (input === '!') throw new Error('zebra broke');
        const name = key.escape ? 'escape' : key.leftArrow ? 'left' : key.return ? 'enter' : input;
        heard.push(`${count} ${name}`);
        if (input === '/') field.isOpen = true;
        if (key.return) field.isOpen = false;
        setCount(count + 1);
      });
      return <Text>{count}</Text>;
    }

    const app = render(
      <Box>
        <Listener />
        <OrderlyInput
          clock={clock}
          isTyping={() => field.isOpen}
          onPoint={({ action, row, column }) => void heard.push(`${action} ${row},${column}`)}
        />
      </Box>,
    );
    await turns(3);
    return { app, clock, heard, feed: (bytes: string) => app.input.type(bytes) };
  }

  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn++) await new Promise(resolve => setImmediate(resolve));
  };

  it('hands on a key when the one before it has been drawn', async () => {
    const { heard, feed } = await open();
    feed('abc\u001b[Dd');
    feed('e');
    await until(() => heard).toEqual(['0 a', '1 b', '2 c', '3 left', '4 d', '5 e']);
  });

  it('types the rest as a whole once a key has opened a field', async () => {
    const { heard, feed } = await open();
    feed('2/abc\rde');
    await until(() => heard).toEqual(['0 2', '1 /', '2 abc', '3 enter', '4 d', '5 e']);
  });

  it('pastes where text is typed, and nowhere else; and the mouse is no key', async () => {
    const { heard, feed } = await open();
    feed('\u001b[200~q\u001b[201~\u001b[<0;3;4M/\u001b[200~one\ntwo\u001b[201~\r\u001b[200~q\u001b[201~x');
    await until(() => heard).toEqual(['click 3,2', '0 /', '1 one two', '2 enter', '3 x']);
  });

  it('holds an escape until it is clear that no sequence follows', async () => {
    const { heard, feed, clock } = await open();
    feed('\u001b');
    await turns(10);
    feed('[D');
    await until(() => heard).toEqual(['0 left']);
    feed('\u001b');
    await turns(10);
    await clock.pass(29);
    expect(heard).toHaveLength(1);
    await clock.pass(1);
    await until(() => heard).toEqual(['0 left', '1 escape']);
  });

  it('ends the program with the error of a key', async () => {
    const { app, feed } = await open();
    feed('a!b');
    await until(() => app.input.listenerCount('readable')).toBe(0);
  });
});

it('what can be clicked is what is there, the one in front; while a question is open, only what always can be', async () => {
  const targets = createClickTargets();
  const clicked: string[] = [];
  const part = (name: string, isAlways = false) => (
    <Clickable onClick={() => void clicked.push(name)} isAlways={isAlways}>
      <Text>{name}</Text>
    </Clickable>
  );
  const app = render(
    <ClickContext.Provider value={targets}>
      <Box padding={1} gap={2}>
        {part('one')}
        {part('two', true)}
        <Clickable>
          <Text>three</Text>
        </Clickable>
      </Box>
    </ClickContext.Provider>,
  );
  const click = (row: number, column: number, isAsked = false) => {
    clicked.length = 0;
    targets.click(row, column, isAsked);
    return clicked.join();
  };
  expect(app.output.frame).toContain('one  two');
  const inRow = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(column => click(1, column));
  expect(inRow.join(' ')).toBe(' one one one   two two two ');
  expect([click(0, 1), click(2, 1), click(40, 1), click(1, 12)]).toEqual(['', '', '', '']);
  expect([click(1, 1, true), click(1, 6, true)]).toEqual(['', 'two']);
  app.unmount();
  expect(click(1, 1)).toBe('');
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
    const before = process.listenerCount('exit');
    screen.enter();
    return { written, modes, screen, exitListeners: () => process.listenerCount('exit') - before };
  }

  it('is given back once, with all that was changed', () => {
    const { written, modes, screen, exitListeners } = take();
    screen.leave();
    screen.leave();
    expect(written).toHaveLength(2);
    expect(written.join('')).not.toMatch(/\?100[06]/);
    for (const mode of ['?1049', '?25', '?7', '?2004']) expect(written.join('')).toContain(`\u001b[${mode}`);
    expect(written[1]!.endsWith('\u001b[?1049l')).toBe(true);
    expect(modes).toEqual([true, false]);
    expect(exitListeners()).toBe(0);
  });

  it('has a mouse where one is wanted, and not afterwards', () => {
    const { written, screen } = take({ hasMouse: true });
    screen.leave();
    expect(written[0]).toContain('\u001b[?1000h\u001b[?1006h');
    expect(written[1]).toContain('\u001b[?1006l\u001b[?1000l');
  });

  it('is taken again, whole, when something else has used the terminal meanwhile', () => {
    const { written, modes, screen, exitListeners } = take();
    screen.enter();
    expect(written[1]).toBe(written[0]);
    expect(modes).toEqual([true, false, true]);
    screen.leave();
    expect(exitListeners()).toBe(0);
  });

  it('is given back when the process ends, whatever ends it', () => {
    const { written, exitListeners } = take();
    (process.listeners('exit').at(-1) as () => void)();
    expect(written[1]).toContain('\u001b[?1049l');
    expect(exitListeners()).toBe(0);
  });

  it('is written to no more once the terminal is gone', () => {
    const { written, screen, exitListeners } = take();
    screen.abandon();
    screen.leave();
    screen.enter();
    expect(written).toHaveLength(1);
    expect(screen.isAbandoned).toBe(true);
    expect(exitListeners()).toBe(0);
  });
});

it('the size of a terminal that tells none is the usual one; it changes with the terminal, which is then drawn anew', async () => {
  const sizes: string[] = [];
  function Sizes() {
    const { width, height } = useTerminal();
    sizes.push(`${width}x${height}`);
    return <Text>{`${width}x${height}`}</Text>;
  }
  const app = render(<Sizes />);
  expect(sizes.at(-1)).toBe('100x24');
  Object.assign(app.output, { columns: 60, rows: 20 });
  app.output.emit('resize');
  await until(() => sizes.at(-1)).toBe('60x20');
  await until(() => app.output.last).toBe('\u001b[2J\u001b[H');
});

it('copying asks the terminal for it, GNU screen in pieces, and refuses what is too long', () => {
  expect(copySequence('hi 翻')).toBe(`\u001b]52;c;${Buffer.from('hi 翻').toString('base64')}\u0007`);
  const [before, ...pieces] = copySequence('x'.repeat(2000), { STY: '1.pts' })!.split('\u001bP');
  expect([before, pieces[0]!.startsWith('\u001b]52;c;')]).toEqual(['', true]);
  for (const piece of pieces) expect([piece.length < 600, piece.endsWith('\u001b\\')]).toEqual([true, true]);
  expect(copySequence('x'.repeat(100_000))).toBeNull();
});
