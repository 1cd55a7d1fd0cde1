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
    expect(found && writeMessages(found, z.toJSONSchema(ticket), value)).toEqual(
      typeof written === 'string' ? [{ role: 'user', content: written }] : written,
    );
  });

  it.each<[string, TaskPrompt<Ticket>]>([
    ['a choice', ({ urgent }) => (urgent ? 'Now!' : 'Later.')],
    ['a changed text', ({ subject }) => subject.toUpperCase()],
    ['a text without white space at its ends', ({ subject }) => subject.trim()],
    ['the beginning of a text', ({ subject }) => subject.slice(0, 8000)],
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
    const given = { constructor: 'c', 'a.b': 'd' };
    const [message] = writeMessages(hostile.description.prompt!, hostile.description.input, given);
    expect(message!.content).toBe('c d');
  });

  it('writes what the schema fills in', async () => {
    const input = z.object({
      language: z.string().default('English'),
      // No trial fits, so that the program's own schema cannot say what it fills in.
      mail: z.email(),
      style: z.object({ words: z.int().default(50) }).optional(),
      tags: z.array(z.object({ kind: z.string().default('plain') })).default([]),
    });
    const prompts: TaskPrompt<z.infer<typeof input>>[] = [
      ({ language, mail }) => `Answer ${mail} in ${language}.`,
      whole => JSON.stringify(whole),
    ];
    for (const prompt of prompts) {
      const { description, toMessages } = defineTask({ name: 't', input, output: z.string(), prompt });
      for (const given of [{}, { style: {} }, { tags: [{}], language: 'French' }]) {
        const value = { ...given, mail: 'a@b.example' };
        expect(writeMessages(description.prompt!, description.input, value)).toEqual(await toMessages(value));
      }
    }
  });

  it.each([
    ['changes', z.object({ text: z.string().trim().toLowerCase() })],
    ['takes the length of', z.object({ text: z.string().transform(text => text.length) })],
  ])('is not guessed where the schema %s a text', (_, input) => {
    const prompt = ({ text }: { text: unknown }) => `Read: ${text}`;
    expect(defineTask({ name: 't', input, output: z.string(), prompt }).description.prompt).toBeUndefined();
  });
});
