// Signs between values, titles, and text around a row (usually none).
import type { Draw } from '../../draw.js';
import { readTexts } from '../../texts.js';
import type { Values } from '../../values/index.js';
import data from './frames.json' with { type: 'json' };

const texts = readTexts(data);

export const { SIGNS } = texts;

const { TITLES } = texts;

export function makeTitle(draw: Draw, values: Values): string {
  const word = draw.chance(0.6) ? draw.pick(TITLES) : values.word();
  return draw.pick([word, word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)]);
}

export type Wrap = (inner: string) => string;

/** Text around a whole row. */
export function makeFrame(draw: Draw, values: Values): Wrap {
  if (draw.chance(0.5)) return inner => inner;
  const title = makeTitle(draw, values);
  return draw.pick<Wrap>([
    inner => `${title}: ${inner}`,
    inner => `${title} ${inner}`,
    inner => `[${title}] ${inner}`,
    inner => `#${title} ${inner}`,
    inner => `${inner} #${title}`,
    inner => `>> ${inner}`,
    inner => `[${inner}]`,
    inner => `(${inner})`,
    inner => `<<${inner}>>`,
    inner => `${title}(${inner})`,
    inner => `** ${inner} **`,
    inner => `${title}> ${inner}`,
    inner => `${inner} ;;`,
    inner => `@${title} ${inner}`,
    inner => `=${inner}=`,
    inner => `${title} { ${inner} }`,
    inner => `--${title}-- ${inner}`,
    inner => `${inner} END`,
    inner => `BEGIN ${inner} END`,
  ]);
}
