// IDs and times as OpenAI's formats have them.
import { randomUUID } from 'node:crypto';

/** An ID as OpenAI's and Anthropic's are, such as `file-` and 32 hexadecimal digits. */
export function newId(prefix = ''): string {
  return `${prefix}${randomUUID().replaceAll('-', '')}`;
}

/** A time as OpenAI's formats have it. Numbers are milliseconds. */
export function toSeconds(time: Date | number | string): number {
  return Math.floor(new Date(time).getTime() / 1000);
}
