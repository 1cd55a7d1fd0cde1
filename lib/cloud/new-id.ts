import { randomUUID } from 'node:crypto';

/** An ID as OpenAI's and Anthropic's are, such as `file-` and 32 hexadecimal digits. */
export function newId(prefix = ''): string {
  return `${prefix}${randomUUID().replaceAll('-', '')}`;
}
