// A task's client that is opened by its first question.
import type { TaskClient } from '../task/index.js';

/**
 * `open` is called again after it failed. So it is, and the question asked once more, if an answer failed because of what
 * was opened.
 */
export function openWhenAsked<Input, Output>(
  open: () => Promise<TaskClient<Input, Output>>,
  isOutdated: (error: unknown) => boolean = () => false,
): TaskClient<Input, Output> {
  type Client = TaskClient<Input, Output>;
  let opened: Promise<Client> | undefined;

  function client(): Promise<Client> {
    if (opened) return opened;
    const opening: Promise<Client> = open().catch(error => {
      forget(opening);
      throw error;
    });
    opened = opening;
    return opening;
  }

  /** Unless another question has opened it again already. */
  function forget(outdated: Promise<Client>): void {
    if (opened === outdated) opened = undefined;
  }

  async function ask<Answer>(question: (client: Client) => Promise<Answer>): Promise<Answer> {
    const current = client();
    try {
      return await question(await current);
    } catch (error) {
      if (!isOutdated(error)) throw error;
      forget(current);
      return question(await client());
    }
  }

  return Object.assign((...given: Parameters<Client>) => ask(open => open(...given)), {
    withProbabilities: (...given: Parameters<Client>) => ask(open => open.withProbabilities(...given)),
  });
}
