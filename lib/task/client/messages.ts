// Writes a task's messages without the program's own code.
import type { Schema } from './fits.js';
import { inOrder } from './in-order.js';
import type { TaskMessage } from './types.js';

/** A value of the input; an empty path is the whole input. */
export interface PromptValue {
  path: string[];
  as: 'text' | 'json' | 'indented';
}

export interface PromptMessage {
  role: TaskMessage['role'];
  content: (string | PromptValue)[];
}

/** `schema`: of the input. */
export function writeMessages(
  prompt: readonly PromptMessage[],
  schema: Schema,
  input: unknown,
): TaskMessage[] {
  const filled = inOrder(schema, input, schema, true);
  return prompt.map(({ role, content }) => ({
    role,
    content: content.map(part => (typeof part === 'string' ? part : writeValue(part, filled))).join(''),
  }));
}

/** As a template literal or `JSON.stringify` would. */
function writeValue({ path, as }: PromptValue, input: unknown): string {
  const value = path.reduce<unknown>(
    (whole, name) =>
      typeof whole === 'object' && whole !== null && Object.hasOwn(whole, name)
        ? (whole as Record<string, unknown>)[name]
        : undefined,
    input,
  );
  return as === 'text' ? String(value) : JSON.stringify(value, null, as === 'json' ? 0 : 2);
}
