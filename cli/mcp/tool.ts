// A tool as an entry in the table: its input, the command of svc that it is, and the part of the result that an agent needs.
import * as z from 'zod';
import { toSafeLine } from '../../lib/console/index.js';
import type { Permission } from './permissions.js';
import { startOf } from './whole-text.js';

export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: Output;
  /** It changes nothing. */
  readOnly?: true;
  /** What it needs, and the question to the user. */
  consent?(input: z.infer<Input>): { permission: Permission; message: string };
  /** The command line, without the program's name and `--json`. What the agent gave is in `option` or after `--`. */
  command(input: z.infer<Input>): string[];
  /** From what the command printed. Anything that the output's schema does not name is left out. */
  read(document: never, input: z.infer<Input>): unknown;
}

export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: Tool<Input, Output>,
): Tool {
  return definition as unknown as Tool;
}

/** An option of a command line, if it is given. In one word, so that a value is never read as another option. */
export function option(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}

export const flag = (name: string, value: boolean | undefined) => (value === true ? [`--${name}`] : []);

export const jobId = z
  .string()
  .min(1)
  .describe('ID of a job; it may be shortened. Or latest, the newest one, or latest:NAME');

const LONGEST_QUOTE = 80;

/** What the agent gave, in a question to the user: in one line and in quotes, so that it cannot pose as a sentence of svc's. */
export function quote(value: unknown): string {
  const text = toSafeLine(typeof value === 'string' ? value : JSON.stringify(value));
  return `"${text.length <= LONGEST_QUOTE ? text : `${startOf(text, LONGEST_QUOTE)}…`}"`;
}

const LONGEST_TEXT = 600;

/** As much of a text as fits a conversation. */
export const clip = (text: string) =>
  text.length <= LONGEST_TEXT ? text : `${startOf(text, LONGEST_TEXT)}…`;
