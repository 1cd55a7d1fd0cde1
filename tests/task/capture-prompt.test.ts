// Which prompts can be written without the program's code.
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineTask, type TaskPrompt } from '../../lib/index.js';
import { writeMessages } from '../../lib/task/client/messages.js';

const ticket = z.object({
  subject: z.string(),
  count: z.number(),
  urgent: z.boolean(),
  kind: z.enum(['a', 'b']),
  from: z.object({ name: z.string(), mail: z.string().optional() }),
  items: z.array(z.object({ id: z.int() })),
});
type Ticket = z.infer<typeof ticket>;

const value: Ticket = {
  subject: 'A "quote"\n\\ and {kind}',
  count: 1e21,
  urgent: false,
  kind: 'b',
  from: { name: '質問' },
  items: [{ id: 1 }, { id: 2 }],
};

const captured = (prompt: TaskPrompt<Ticket>) =>
  defineTask({ name: 't', input: ticket, output: z.string(), prompt }).description.prompt;

describe('a captured prompt', () => {
  it.each<[string, TaskPrompt<Ticket>]>([
    [
      'values in texts',
      ({ subject, count, urgent, kind }) => `${subject} (${count}, ${urgent}): ${kind}${kind}`,
    ],
    ['a nested value', ({ from }) => `From ${from.name} <${from.mail}>`],
    ['the whole input as JSON', input => `Read this: ${JSON.stringify(input)}`],
    ['indented JSON', input => `Read this:\n${JSON.stringify(input.items, null, 2)}`],
    ['no value', () => 'Say something.'],
    [
      'several messages',
      ({ subject, from }) => [
        { role: 'system', content: 'You are helpful.' },
        { role: 'user', content: `${subject}\n${JSON.stringify(from)}` },
      ],
    ],
  ])('writes the same: %s', (_, prompt) => {
    const found = captured(prompt);
    const written = prompt(value);
    expect(found && writeMessages(found, value)).toEqual(
      typeof written === 'string' ? [{ role: 'user', content: written }] : written,
    );
  });

  it.each<[string, TaskPrompt<Ticket>]>([
    ['a choice', ({ urgent }) => (urgent ? 'Now!' : 'Later.')],
    ['a changed text', ({ subject }) => subject.toUpperCase()],
    ['a formatted number', ({ count }) => count.toFixed(2)],
    ['a joined list', ({ items }) => items.map(({ id }) => id).join(', ')],
    ['an optional value', ({ from }) => `From ${from.mail ?? 'nobody'}`],
    ['a table', ({ kind }) => ({ a: 'first', b: 'second' })[kind]],
    ['JSON of a text', ({ subject }) => JSON.stringify(subject)],
    ['the length of a list', ({ items }) => `${items.length} items`],
    ['another text each time', () => `${Math.random()}`],
  ])('is not guessed: %s', (_, prompt) => {
    expect(captured(prompt)).toBeUndefined();
  });

  it('of a text, or of an input with a hostile name', () => {
    const ofText = defineTask({
      name: 't',
      input: z.string(),
      output: z.string(),
      prompt: text => `> ${text}`,
    });
    expect(ofText.description.prompt).toEqual([{ role: 'user', content: ['> ', { path: [], as: 'text' }] }]);
    const input = z.object({ constructor: z.string(), 'a.b': z.string() });
    const hostile = defineTask({
      name: 't',
      input,
      output: z.string(),
      prompt: given => `${given.constructor} ${given['a.b']}`,
    });
    expect(writeMessages(hostile.description.prompt!, { constructor: 'c', 'a.b': 'd' })[0]!.content).toBe(
      'c d',
    );
  });
});
