// Rows in the formats that people have, compared with the same rows as chats.
import { afterEach, describe, expect, it } from 'vitest';
import { type ModelText, openText } from '../../../lib/engine/text/index.js';
import { describeFormats, formatOf } from '../../../lib/engine/text/row-formats.js';
import { makeTextFolder, removeFolder } from '../../support/tiny-tokenizer.js';

let folder = '';
afterEach(() => removeFolder(folder));

async function open(): Promise<ModelText> {
  folder = await makeTextFolder({});
  return openText(folder);
}

const turn = (role: string, content: string) => ({ role, content });
const asChat = (...messages: object[]) => ({ messages });

describe('a row is recognized by its columns', () => {
  it.each([
    [['messages', 'id'], 'messages'],
    [['messages', 'conversations'], 'messages'],
    [['prompt', 'completion'], 'prompt and completion'],
    [['conversations', 'source'], 'ShareGPT'],
    [['instruction', 'input', 'output'], 'Alpaca'],
    // Some Alpaca data sets repeat all of it as a text.
    [['instruction', 'input', 'output', 'text'], 'Alpaca'],
    [['text', 'instruction'], 'text'],
    [['prompt', 'chosen', 'rejected', 'score'], 'preferences'],
    [['input', 'preferred_output', 'non_preferred_output'], "OpenAI's preferences"],
    // Some data sets of preferences also have the chosen conversation, to train on it as it is.
    [['prompt', 'chosen', 'rejected', 'messages'], 'messages'],
    [['question', 'answer'], undefined],
  ])('%j as %s', (columns, name) => {
    expect(formatOf(columns)?.name).toBe(name);
  });

  it('and the formats are named where none is', () => {
    expect(describeFormats()).toBe(
      "messages, or prompt and completion, or conversations (ShareGPT), or instruction and output (Alpaca), or text, or chosen and rejected (preferences), or preferred_output and non_preferred_output (OpenAI's preferences)",
    );
  });
});

describe('a row is trained on as if it were a chat', () => {
  const chat = asChat(turn('system', 'be brief'), turn('user', 'hello'), turn('assistant', 'hi'));
  it.each<[string, object, object]>([
    [
      'ShareGPT',
      {
        conversations: [
          { from: 'system', value: 'be brief' },
          { from: 'human', value: 'hello' },
          { from: 'gpt', value: 'hi' },
        ],
      },
      chat,
    ],
    [
      'ShareGPT with its system message apart, empty tools, and a turn that is not learned',
      {
        system: 'be brief',
        tools: '',
        conversations: [
          { from: 'human', value: 'hello' },
          { from: 'gpt', value: 'hi', weight: 0 },
          { from: 'human', value: 'again' },
          { from: 'gpt', value: 'yes' },
        ],
      },
      asChat(
        turn('system', 'be brief'),
        turn('user', 'hello'),
        { ...turn('assistant', 'hi'), weight: 0 },
        turn('user', 'again'),
        turn('assistant', 'yes'),
      ),
    ],
    [
      'conversations with the messages of chats',
      { conversations: [turn('user', 'hello'), turn('assistant', 'hi')] },
      asChat(turn('user', 'hello'), turn('assistant', 'hi')),
    ],
    [
      'Alpaca',
      { instruction: 'add', input: '1 and 2', output: '3' },
      asChat(turn('user', 'add\n\n1 and 2'), turn('assistant', '3')),
    ],
    [
      'Alpaca without input, after earlier turns',
      {
        instruction: 'again',
        input: '',
        output: 'yes',
        system: 'be brief',
        history: [['hello', 'hi']],
      },
      asChat(
        turn('system', 'be brief'),
        turn('user', 'hello'),
        turn('assistant', 'hi'),
        turn('user', 'again'),
        turn('assistant', 'yes'),
      ),
    ],
  ])('%s', async (_, row, same) => {
    const text = await open();
    expect(text.encodeRow(row)).toEqual(text.encodeRow(same));
  });

  it.each<[object, string]>([
    [{ conversations: 'a' }, 'conversations is not a list'],
    [{ conversations: [] }, 'conversations is empty'],
    [{ conversations: [{ from: 'human' }] }, 'conversations[0].value is not a string'],
    [
      { conversations: [{ from: 'alien', value: 'a' }] },
      'conversations[0].from is "alien"; use one of human, ',
    ],
    [{ conversations: [{ from: 'human', value: 'a' }] }, 'it has no assistant message to train on'],
    [{ conversations: [{ from: 'gpt', value: 'a' }], tools: '{' }, 'tools is not valid JSON'],
    [{ instruction: 'a', output: 3 }, 'output is not a string'],
    [{ instruction: 'a', output: ' ' }, 'its assistant messages are empty'],
    [{ instruction: 'a', output: 'b', history: [['c']] }, 'history[0] is not a question and an answer'],
  ])('%j is refused, because %s', async (row, reason) => {
    const text = await open();
    expect(() => text.encodeRow(row)).toThrow(reason);
  });
});
