import { Tokenizer } from '@huggingface/tokenizers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type Conversation,
  createEndingsFinder,
  findAssistantSpans,
} from '../../../lib/engine/text/assistant-spans.js';
import type { TemplateMessage } from '../../../lib/engine/text/chat-message.js';
import { compileTemplate } from '../../../lib/engine/text/chat-template.js';
import { JinjaTemplate } from '../../../lib/engine/text/jinja/index.js';
import { findSpansInParts } from '../../../lib/engine/text/long-conversation.js';
import { templates } from '../../support/chat-templates.js';
import type { TinyOptions } from '../../support/tiny-tokenizer.js';
import { assistant, createDraw, learnedParts, openTiny, user } from './tiny-text.js';

afterEach(() => vi.restoreAllMocks());

const think = '<think>\nwhy\n</think>\n\nso';
const words = ['hello', '', ' the answer\n', 'é 👋🏽', '<|im_end|>', 'assistant', think];
const call = { type: 'function', function: { name: 'add', arguments: { a: [1, 2] } } };

/** Random chats of at least `count` messages, with long and short work with tools between, if there is a place for it. */
function createMessages(seed: number) {
  const below = createDraw(seed);
  const say = (role: string, more = {}) => ({ role, content: words[below(words.length)]!, ...more });
  return (count: number, mostSteps: number): TemplateMessage[] => {
    const messages: TemplateMessage[] = below(2) ? [{ role: 'system', content: 'Be brief.' }] : [];
    while (messages.length < count) {
      messages.push(say('user'));
      for (let step = below(mostSteps + 1); step > 0; step--) {
        const calls = [call, call].slice(below(2));
        messages.push(say('assistant', { tool_calls: calls }), ...calls.map(() => say('tool')));
      }
      messages.push(say('assistant'));
    }
    return messages;
  };
}

describe.each(Object.entries(templates))('a long conversation with a template %s', (_, given) => {
  const source = given.template.replaceAll(/\{%-?\s*(end)?generation\s*-?%\}/g, '');
  const variables = { bos_token: '', eos_token: given.markers[0]!, ...given.config };
  const template = compileTemplate('template', source, variables);
  const findEndings = createEndingsFinder(given.markers);
  const messagesOf = createMessages(7);

  it.each([0, 2, 40])('has the spans of one rendered for each turn, with up to %i calls', mostSteps => {
    if (mostSteps > 0 && !template.rendersCalls) return;
    const messages = messagesOf(60, mostSteps);
    const options = mostSteps > 0 ? { tools: [{ name: 'add' }] } : {};
    const conversation = { template, messages, options, rendered: template.render(messages, options) };
    const turns = messages.flatMap(({ role }, index) => (role === 'assistant' && index % 9 ? [index] : []));
    const endings = findEndings(conversation, turns.at(-1)!);
    const wholes: Conversation[] = [];
    const spans = findSpansInParts(conversation, turns, (part, own) => {
      if (part.messages.length > 20) wholes.push(part);
      return findAssistantSpans(part, own, endings);
    });
    expect(spans).toEqual(findAssistantSpans(conversation, turns, endings));
    expect(wholes).toEqual([]);
  });
});

const sum = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

describe('the work for a conversation', () => {
  /** How many messages are rendered, and characters tokenized, for a message of a conversation with so many. */
  async function workFor(options: TinyOptions, count: number) {
    const text = await openTiny(options);
    const render = vi.spyOn(JinjaTemplate.prototype, 'render');
    const tokenize = vi.spyOn(Tokenizer.prototype, 'tokenize');
    const messages = Array.from({ length: count }, (_, index) => ({
      ...(index % 2 ? assistant : user)(`hello ${index}`),
      ...(index % 4 === 3 && { weight: 0 }),
    }));
    const encoded = text.encodeRow({ messages });
    const rendered = render.mock.calls.map(([given]) => (given as { messages: unknown[] }).messages.length);
    const tokenized = (tokenize.mock.calls as unknown[][]).map(([given]) => String(given).length);
    vi.restoreAllMocks();
    expect(learnedParts(text, encoded)).toHaveLength(count / 4);
    return { rendered: sum(rendered) / count, tokenized: sum(tokenized) / count };
  }

  it.each(Object.entries(templates))(
    'grows with its length only, with a template %s',
    async (_, { says, ...options }) => {
      const [short, long] = [await workFor(options, 120), await workFor(options, 480)];
      expect(long.rendered).toBeLessThan(1.1 * short.rendered);
      expect(long.tokenized).toBeLessThan(1.1 * short.tokenized);
    },
  );
});

describe('a template that renders messages differently in a long conversation', () => {
  const template = `{% for message in messages %}{{ loop.index ~ message.role ~ '>' ~ message.content ~ '<' }}{% endfor %}`;
  const conversation = (count: number) => ({
    messages: Array.from({ length: count }, (_, index) => (index % 2 ? assistant : user)('hello')),
  });

  it('is rendered for each turn', async () => {
    const text = await openTiny({ template });
    expect(learnedParts(text, text.encodeRow(conversation(60)))).toEqual(Array(30).fill('hello<'));
  });

  it('is an error with its reason if it does not show the text at all', async () => {
    const repeated = template.replace('message.content', 'message.content ~ message.content');
    const text = await openTiny({ template: repeated });
    expect(() => text.encodeRow(conversation(402))).toThrow('it writes that text more than once');
  });

  it('takes a limited number of messages, which the error of the row names', async () => {
    const text = await openTiny({ template });
    expect(() => text.encodeRow(conversation(402), { file: 'rows.jsonl', row: 7 })).toThrow(
      'rows.jsonl, row 7: It has 402 messages, and at most 400 are possible with the chat template in tokenizer_config.json',
    );
  });
});
