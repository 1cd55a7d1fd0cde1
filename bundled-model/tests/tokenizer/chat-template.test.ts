import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChatMessage, type ModelText, openText } from '../../../lib/engine/text/index.js';
import { makeTextFolder, removeFolder } from '../../../tests/support/tiny-tokenizer.js';
import { toTokenizerFiles } from '../../tokenizer/index.js';
import { oddTexts, sampleModel } from './sample-model.js';

let folder: string;
let text: ModelText;
beforeAll(async () => {
  folder = await makeTextFolder({ files: toTokenizerFiles(sampleModel) });
  text = await openText(folder);
});
afterAll(() => removeFolder(folder));

const turns = (...contents: string[]): ChatMessage[] =>
  contents.map((content, index) => ({ role: index % 2 ? 'assistant' : 'user', content }));

function learned(messages: ChatMessage[]): string {
  const { ids, supervised } = text.encodeChat(messages, { trainOn: 'assistant' });
  return text.decode([...ids].filter((_, index) => supervised[index]));
}

describe('a conversation', () => {
  it('is written turn by turn, with nothing added', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      ...turns('What is 2 + 2?', '4'),
      ...turns('Why?'),
    ];
    expect(text.renderChat(messages)).toBe(
      '<|im_start|>system\nBe brief.<|im_end|>\n' +
        '<|im_start|>user\nWhat is 2 + 2?<|im_end|>\n' +
        '<|im_start|>assistant\n4<|im_end|>\n' +
        '<|im_start|>user\nWhy?<|im_end|>\n',
    );
    expect(text.renderChat(turns('Hi'))).toBe('<|im_start|>user\nHi<|im_end|>\n');
  });

  it("ends with the assistant's header on request", () => {
    const prompt = text.renderChat(turns('Hi'), { addGenerationPrompt: true });
    expect(prompt).toBe('<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n');
  });

  it("has calls as text, and their results in the user's turn", () => {
    const call = { type: 'function', function: { name: 'add', arguments: '{"a":1}' } };
    const messages = [
      { role: 'assistant', content: '', tool_calls: [call] },
      { role: 'tool', content: '2' },
    ];
    expect(text.renderChat([...turns('1 + 1?'), ...messages])).toBe(
      '<|im_start|>user\n1 + 1?<|im_end|>\n' +
        '<|im_start|>assistant\n<tool_call>\n{"name": "add", "arguments": {"a":1}}\n</tool_call><|im_end|>\n' +
        '<|im_start|>user\n<tool_response>\n2\n</tool_response><|im_end|>\n',
    );
  });

  it.each(['bot', 'function', 'User'])('is rejected with the role %s', role => {
    expect(() => text.renderChat([{ role, content: 'x' }])).toThrow(
      `The role "${role}" is not system, user, assistant or tool.`,
    );
  });
});

describe('what is learned', () => {
  it('is what the assistant says in each turn, including its end', () => {
    const messages = [{ role: 'system', content: 'the' }, ...turns('the', 'the dog', 'the', 'the fox')];
    expect(learned(messages)).toBe('the dog<|im_end|>the fox<|im_end|>');
  });

  it('is nothing that the system, the user or tools say', () => {
    const others = ['system', 'user', 'tool', 'user'].map(role => ({ role, content: 'the dog' }));
    expect(learned(others)).toBe('');
  });

  it.each(Object.entries(oddTexts))('is all of an answer, and begins where generation does: %s', (_, odd) => {
    const messages = turns('the', odd, 'the', odd);
    expect(learned(messages)).toBe(`${odd}<|im_end|>${odd}<|im_end|>`);
    const prompt = text.encode(text.renderChat(messages.slice(0, 1), { addGenerationPrompt: true }));
    const { ids, supervised } = text.encodeChat(messages, { trainOn: 'assistant' });
    expect([...ids.slice(0, prompt.length)]).toEqual(prompt);
    expect(supervised.indexOf(true)).toBe(prompt.length);
  });

  it('is marked by the template, so that other trainers see it too', () => {
    const { chat_template } = toTokenizerFiles(sampleModel)['tokenizer_config.json'] as Record<
      string,
      string
    >;
    const marked = /\{%- generation %\}(.*)\{%- endgeneration %\}/s.exec(chat_template!)?.[1]?.trim();
    expect(marked).toBe("{{- message.content + '<|im_end|>' }}");
  });
});
