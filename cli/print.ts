// Writes what commands say. Names, notes, paths and errors come from outside, so all of it is cleaned here: only svc's own
// colors steer the terminal.
import type { Input, Io, Output } from './command.js';
import { inOwnName } from './own-name.js';
import { toSafeJson, toSafeText, withOwnColors } from './style.js';

/** Text for people, in svc's own colors. */
export function print(output: Output, text: string): void {
  output.write(withOwnColors(text));
}

/** A line without colors, with commands that can be copied. */
export function printLine(output: Output, line: string, env: Io['env']): void {
  output.write(`${inOwnName(toSafeText(line), env)}\n`);
}

export function printJson(output: Output, document: object): void {
  output.write(`${toSafeJson(JSON.stringify(document))}\n`);
}

/** The result of a command: a document for programs, or text for people. */
export function printAnswer(
  { stdout }: Pick<Io, 'stdout'>,
  { json }: Pick<Input, 'json'>,
  document: object,
  text: () => string,
): void {
  if (json) printJson(stdout, document);
  else print(stdout, text());
}
