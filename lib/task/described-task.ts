// A task as its description has it: for programs without the task's own schemas.
import type { TaskDescription } from '../contract/index.js';
import type { TaskParts } from './client/client.js';
import { findMisfit } from './client/fits.js';
import { writeMessages } from './client/messages.js';
import { TaskError, type TaskMessage } from './client/types.js';

type DescribedParts<Input, Output> = Pick<TaskParts<Input, Output>, 'toMessages' | 'readOutput'>;

/** `prompt`: writes the messages if the description does not say how. Throws a TypeError if neither does. */
export function describedParts<Input, Output>(
  { name, input, output, prompt: described }: TaskDescription,
  prompt?: (input: Input) => readonly TaskMessage[],
): DescribedParts<Input, Output> {
  const write = prompt ?? (described && ((value: Input) => writeMessages(described, input, value)));
  if (!write)
    throw new TypeError(`The prompt of the task ${name} is its program's own. Pass it as \`prompt\`.`);
  return {
    toMessages(value) {
      const misfit = findMisfit(input, value);
      if (misfit !== null) throw new TaskError('input_invalid', `The input does not fit: ${misfit}.`);
      return [...write(value)];
    },
    readOutput(answer) {
      const misfit = findMisfit(output, answer);
      if (misfit !== null) throw new Error(`${misfit}.`);
      return answer as Output;
    },
  };
}
