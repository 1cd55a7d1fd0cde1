// Which columns of a data set stand for those that training knows.
import * as z from 'zod/mini';

const COLUMNS = [
  'messages',
  'prompt',
  'completion',
  'text',
  'tools',
  'system',
  'conversations',
  'instruction',
  'input',
  'output',
  'chosen',
  'rejected',
] as const;

/** `{ prompt: 'question', completion: 'answer' }` */
export const columnMap = z.partialRecord(z.enum(COLUMNS), z.string().check(z.minLength(1), z.maxLength(200)));

export type ColumnMap = z.output<typeof columnMap>;
