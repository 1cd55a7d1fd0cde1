// Tables and widths: whole where a program reads, and never wider than where people look.
import { describe, expect, it } from 'vitest';
import { renderFacts } from '../../../cli/commands/terminal/facts.js';
import { type Column, renderTable } from '../../../cli/commands/terminal/table.js';
import { createStyle } from '../../../cli/style.js';
import { displayWidth } from '../../../lib/console/index.js';

interface Row {
  name: string;
  note: string;
  id: string;
}

const plain = createStyle({ write: () => {} }, {});
const colored = createStyle({ write: () => {}, isTTY: true }, {});
const columns: Column<Row>[] = [
  { title: 'Name', text: ({ name }) => name, least: 6 },
  { title: 'Note', text: ({ note }) => note, spare: true },
  { title: 'ID', text: ({ id }) => id, short: ({ id }) => id.slice(0, 4) },
];
const rows: Row[] = [
  { name: 'a name that goes on', note: 'first', id: '0123456789' },
  { name: 'b', note: 'second', id: 'abcdefghij' },
];
const render = (width: number, style = plain) => renderTable(columns, rows, { width, style });

describe('a table', () => {
  it('shows everything where there is room', () => {
    expect(render(Number.POSITIVE_INFINITY)).toBe(
      [
        'Name                 Note    ID\n',
        'a name that goes on  first   0123456789\n',
        'b                    second  abcdefghij\n',
      ].join(''),
    );
  });

  it('takes the short forms first, then cuts, then leaves columns out', () => {
    expect(render(33)).toContain('a name that goes on  first   0123\n');
    expect(render(25)).toContain('a name tha…  first   0123\n');
    expect(render(18)).toBe('Name          ID\na name that…  0123\nb             abcd\n');
  });

  it('is never wider than the terminal, down to what must stand there', () => {
    for (let width = 12; width < 45; width++) {
      const widths = render(width).split('\n').map(displayWidth);
      expect(Math.max(...widths)).toBeLessThanOrEqual(width);
    }
  });

  it('is painted without moving', () => {
    const painted = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
    const trimmed = render(25, colored).replace(painted, '').replace(/ +$/gm, '');
    expect(trimmed).toBe(render(25));
  });

  it('strips what could steer a terminal', () => {
    const evil = { name: 'a\u0007\u001b[31mb\nc\u202e', note: '\u009b2J', id: '1' };
    expect(renderTable(columns, [evil], { width: 80, style: plain }).split('\n')[1]).toBe('ab c        1');
  });
});

describe('facts', () => {
  it('stand in two columns, the unknown ones left out', () => {
    expect(
      renderFacts(
        [
          ['Name', 'x'],
          ['Error', null],
          ['Created at', 'y'],
        ],
        plain,
      ),
    ).toBe('Name        x\nCreated at  y\n');
  });
});
