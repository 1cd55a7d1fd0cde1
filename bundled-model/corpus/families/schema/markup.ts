// Formats for programs (markup, calls, objects, tables) and short sentences.
import type { Format, Maker } from './format.js';
import { makeTitle } from './frames.js';

export const markup: Maker = (draw, values, keys) => {
  const names = keys.map(key => key.replaceAll(' ', '_'));
  const element = draw.pick<(name: string, cell: string) => string>([
    (name, cell) => `<${name}>${cell}</${name}>`,
    (name, cell) => `<${name}>${cell}</${name}>`,
    (name, cell) => `[${name}]${cell}[/${name}]`,
    (name, cell) => `{${name}|${cell}}`,
    (name, cell) => `[${name}: ${cell}]`,
    (name, cell) => `(${name} ${cell})`,
    (name, cell) => `<${name}="${cell}">`,
    (name, cell) => `{{${name}: ${cell}}}`,
    (name, cell) => `#${name}(${cell})`,
    (name, cell) => `\\${name}{${cell}}`,
    (name, cell) => `@${name} ${cell};`,
  ]);
  const [open, close] = draw.pick(['a', 'b', 'c']) === 'a' ? rootOf(makeTitle(draw, values)) : ['', ''];
  const sign = draw.pick(['', '\n', '\n', ' ']);
  return {
    hasKeys: true,
    render: cells => open + cells.map((cell, i) => element(names[i]!, cell)).join(sign) + close,
  };
};

const rootOf = (title: string): [string, string] => [`<${title}>`, `</${title}>`];

type Call = Pick<Format, 'hasKeys'> & {
  write(title: string, cells: readonly string[], names: readonly string[]): string;
};

const quote = (cells: readonly string[]) => cells.map(cell => `"${cell}"`).join(', ');

const name = (cells: readonly string[], names: readonly string[], assign: string, before = '') =>
  cells.map((cell, i) => `${before}${names[i]}${assign}"${cell}"`);

const CALLS: readonly Call[] = [
  { hasKeys: true, write: (title, cells, names) => `${title}(${name(cells, names, '=').join(', ')})` },
  { hasKeys: false, write: (title, cells) => `${title}(${quote(cells)})` },
  { hasKeys: true, write: (title, cells, names) => `(${title} ${name(cells, names, ' ', ':').join(' ')})` },
  { hasKeys: true, write: (title, cells, names) => `/${title} ${name(cells, names, ' ', '--').join(' ')}` },
  { hasKeys: false, write: (_, cells) => `[${quote(cells)}]` },
  { hasKeys: false, write: (title, cells) => `["${title}", ${quote(cells)}]` },
  { hasKeys: true, write: (title, cells, names) => `{"${title}": ${toObject(cells, names)}}` },
  { hasKeys: true, write: (title, cells, names) => `${title} {${name(cells, names, ': ').join(', ')}}` },
  { hasKeys: true, write: (title, cells, names) => `<${title} ${name(cells, names, '=').join(' ')} />` },
  { hasKeys: true, write: (title, cells, names) => `[${title}]\n${name(cells, names, ' = ').join('\n')}` },
  {
    hasKeys: true,
    write: (title, cells, names) =>
      `${title}:\n${cells.map((cell, i) => `  ${names[i]}: ${cell}`).join('\n')}`,
  },
];

const toObject = (cells: readonly string[], names: readonly string[]) =>
  `{${cells.map((cell, i) => `"${names[i]}": "${cell}"`).join(', ')}}`;

export const call: Maker = (draw, values, keys) => {
  const names = keys.map(key => key.replaceAll(/[ -]/g, '_'));
  const title = makeTitle(draw, values);
  const { hasKeys, write } = draw.pick(CALLS);
  return { hasKeys, render: cells => write(title, cells, names) };
};

export const table: Maker = (draw, _, keys) => {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const sign = draw.pick([',', ', ', ';', '; ', '|', ' | ']);
  return draw.pick<Format>([
    { hasKeys: true, render: cells => [line(keys), line(keys.map(() => '---')), line(cells)].join('\n') },
    { hasKeys: true, render: cells => [line(keys), line(cells)].join('\n') },
    { hasKeys: true, render: cells => `${keys.join(sign)}\n${cells.join(sign)}` },
    { hasKeys: false, render: line },
  ]);
};

export const prose: Maker = (draw, values, keys) => {
  const title = makeTitle(draw, values);
  const words = keys.map(key => key.replaceAll(/[_-]/g, ' '));
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  return draw.pick<Format>([
    {
      hasKeys: true,
      render: cells => `The ${cells.map((cell, i) => `${words[i]} is ${cell}`).join(', the ')}.`,
    },
    { hasKeys: true, render: cells => cells.map((cell, i) => `${capital(words[i]!)}: ${cell}.`).join(' ') },
    {
      hasKeys: true,
      render: cells => `${title} with ${cells.map((cell, i) => `${words[i]} ${cell}`).join(', ')}`,
    },
    { hasKeys: true, render: cells => cells.map((cell, i) => `${cell} (${words[i]})`).join(', ') },
    {
      hasKeys: true,
      render: cells => `${title}\n${cells.map((cell, i) => `${capital(words[i]!)}\n${cell}`).join('\n')}`,
    },
    { hasKeys: true, render: cells => cells.map((cell, i) => `My ${words[i]}: ${cell}!`).join(' ') },
  ]);
};
