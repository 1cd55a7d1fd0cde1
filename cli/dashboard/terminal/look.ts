// What this terminal supports: colors, glyphs and its size. Uses only the 16 standard colors, which people
// configure to be legible on their background.
import { createContext, useContext } from 'react';
import { asciiGlyphs, type Glyphs, unicodeGlyphs } from '../../../lib/console/index.js';

export interface Look {
  readonly isColored: boolean;
  readonly isUnicode: boolean;
  readonly glyphs: Glyphs;
}

/** The escape code for dim text, since asciichart takes colors as codes. */
export const DIM = '\u001b[2m';

type Env = Readonly<Record<string, string | undefined>>;

export const LookContext = createContext<Look>({ isColored: true, isUnicode: true, glyphs: unicodeGlyphs });

export const useLook = (): Look => useContext(LookContext);
export const useGlyphs = (): Glyphs => useLook().glyphs;

export function readLook(env: Env, platform: NodeJS.Platform = process.platform): Look {
  const isUnicode = speaksUnicode(env, platform);
  return { isColored: !env.NO_COLOR, isUnicode, glyphs: isUnicode ? unicodeGlyphs : asciiGlyphs };
}

/** Without a locale, assumes UTF-8, since containers often have none; the Linux console has too few glyphs. */
function speaksUnicode(env: Env, platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return Boolean(env.WT_SESSION || env.TERM_PROGRAM || env.ConEmuTask);
  if (env.TERM === 'linux') return false;
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return !locale || /utf-?8/i.test(locale);
}

/** In columns and rows. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export const RoomContext = createContext<Size>({ width: 0, height: 0 });

/** The space available to a view or inside a panel. */
export const useRoom = (): Size => useContext(RoomContext);

/** True while something else is shown in place of the component, which keeps running. */
export const CoveredContext = createContext(false);
