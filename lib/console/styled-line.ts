// A line of text in several styles, cut and filled by columns.
import { displayWidth, dropWidth, takeWidth } from './display-width.js';

export interface StyledText {
  readonly text: string;
  /** Its words, such as `bold red`; empty for plain text. */
  readonly style: string;
}

export type StyledLine = readonly StyledText[];

export function lineText(line: StyledLine): string {
  return line.map(({ text }) => text).join('');
}

/** Adds to the end of a line that is being built. */
export function addText(line: StyledText[], text: string, style: string): void {
  const last = line.at(-1);
  if (text === '') return;
  if (last?.style === style) line[line.length - 1] = { text: last.text + text, style };
  else line.push({ text, style });
}

export function styledWidth(line: StyledLine): number {
  return line.reduce((sum, { text }) => sum + displayWidth(text), 0);
}

/** As much of the start of the line as fits. */
export function takeColumns(line: StyledLine, width: number): StyledText[] {
  const taken: StyledText[] = [];
  let room = width;
  for (const { text, style } of line) {
    const columns = displayWidth(text);
    addText(taken, columns <= room ? text : takeWidth(text, room), style);
    if (columns > room) break;
    room -= columns;
  }
  return taken;
}

/** The line after the first `width` columns; a letter cut in half leaves spaces. */
export function dropColumns(line: StyledLine, width: number): StyledText[] {
  const left: StyledText[] = [];
  let skip = width;
  for (const { text, style } of line) {
    const columns = skip > 0 ? displayWidth(text) : 0;
    if (columns <= skip && skip > 0) skip -= columns;
    else {
      addText(left, skip > 0 ? dropWidth(text, skip) : text, style);
      skip = 0;
    }
  }
  return left;
}
