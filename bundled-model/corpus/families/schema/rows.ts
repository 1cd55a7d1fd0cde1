// Formats with values in a row, with or without keys, and with values on lines.
import type { Maker } from './format.js';
import { makeFrame, makeTitle, SIGNS, type Wrap } from './frames.js';

export const row: Maker = (draw, values) => {
  const sign = draw.pick(SIGNS);
  const isBare = draw.chance(0.5);
  const frame = isBare ? (inner: string) => inner : makeFrame(draw, values);
  return { hasKeys: false, ...(isBare ? { sign } : {}), render: cells => frame(cells.join(sign)) };
};

/** A different sign at each place, such as `48213 (Mara) @ Bonn`. */
export const mixedRow: Maker = (draw, values, keys) => {
  const wraps = keys.map(() =>
    draw.pick<Wrap>([
      cell => cell,
      cell => cell,
      cell => cell,
      cell => `(${cell})`,
      cell => `[${cell}]`,
      cell => `"${cell}"`,
      cell => `*${cell}*`,
      cell => `<${cell}>`,
      cell => `#${cell}`,
      cell => `{${cell}}`,
      cell => `@${cell}`,
    ]),
  );
  const signs = keys.map(() =>
    draw.pick([...SIGNS, ' ', ' ', ' from ', ' for ', ' at ', ' by ', '\n', ' in ', ' to ']),
  );
  const frame = makeFrame(draw, values);
  return {
    hasKeys: false,
    render: cells => frame(cells.map((cell, i) => (i === 0 ? '' : signs[i]) + wraps[i]!(cell)).join('')),
  };
};

export const pairs: Maker = (draw, values, keys) => {
  const assign = draw.pick([
    '=',
    '=',
    ': ',
    ': ',
    ':',
    ' = ',
    ' -> ',
    ' := ',
    '~',
    ' is ',
    '=>',
    ' > ',
    ' :: ',
    '@',
  ]);
  const sign = draw.pick([
    ', ',
    ', ',
    '; ',
    ' | ',
    ' & ',
    ' / ',
    '\n',
    '\n',
    '\n',
    ' ;; ',
    ' + ',
    ' # ',
    ' || ',
    '. ',
  ]);
  const quote = draw.pick(['', '', '', '"', "'"]);
  const frame = sign === '\n' ? (inner: string) => inner : makeFrame(draw, values);
  return {
    hasKeys: true,
    render: cells => frame(cells.map((cell, i) => `${keys[i]}${assign}${quote}${cell}${quote}`).join(sign)),
  };
};

export const list: Maker = (draw, values, keys) => {
  const bullet = draw.pick<(at: number) => string>([
    () => '- ',
    () => '* ',
    () => '• ',
    () => '+ ',
    () => '> ',
    at => `${at + 1}. `,
    at => `${at + 1}) `,
    at => `[${at + 1}] `,
    at => `(${'abcdefg'[at]}) `,
    () => '-- ',
    () => '[x] ',
  ]);
  const hasKeys = draw.chance(0.6);
  const heading = draw.chance(0.35)
    ? `${draw.pick(['# ', '## ', '', '== '])}${makeTitle(draw, values)}\n`
    : '';
  const between = draw.pick([': ', ': ', ' = ', ' - ', ' -> ']);
  return {
    hasKeys,
    render: cells =>
      heading + cells.map((cell, i) => bullet(i) + (hasKeys ? keys[i]! + between : '') + cell).join('\n'),
  };
};
