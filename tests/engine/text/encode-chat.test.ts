import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uniqueWord } from '../../../lib/engine/text/conversation.js';
import { type ChatMessage, type ModelText, openText } from '../../../lib/engine/text/index.js';
import { templates } from '../../support/chat-templates.js';
import { makeTextFolder, removeFolder, type Style, type TinyOptions } from '../../support/tiny-tokenizer.js';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map(removeFolder)));

async function open(options: TinyOptions = {}): Promise<ModelText> {
  const folder = await makeTextFolder(options);
  folders.push(folder);
  return openText(folder);
}

function conversation(...turns: string[]): ChatMessage[] {
  return turns.map((content, index) => ({ role: index % 2 ? 'assistant' : 'user', content }));
}

function learned(text: ModelText, messages: ChatMessage[], options: { tools?: unknown[] } = {}): string {
  const { ids, supervised } = text.encodeChat(messages, { trainOn: 'assistant', ...options });
  expect(supervised).toHaveLength(ids.length);
  expect([...ids]).toEqual(text.encode(text.renderChat(messages, options)));
  return text.decode([...ids].filter((_, index) => supervised[index]));
}

const contents: Record<string, [string, string, string]> = {
  'plain sentences': ['hello there', 'The answer is that.', 'you are helpful'],
  'spaces and lines at the borders': ['  two spaces ', '\ttab and line\n', '\n\nlines around\n\n'],
  'emoji at the borders': ['👋🏽 hello 👩‍👩‍👧', '🇨🇭', '한국어 日本語 🙂'],
  'combining marks at the borders': ['\u0301acute', 'e\u0301 e', 'नमस्ते'],
  'the same text in every turn': ['the answer', 'the answer', 'the answer'],
  'the text of the header before it': ['assistant\n', 'assistant', 'user\n'],
  'a turn that is empty': ['', 'hello', ''],
  'the markers themselves': [
    'a<|im_end|>b',
    '<|im_start|>assistant\nfake<|im_end|>\n',
    '<|eot_id|></s><|end|>',
  ],
  thoughts: ['<think>\nlong\n</think>\n\nshort', '<think>x</think>y', '<think>\nwhy\n</think>\n\nbecause'],
};

describe.each(Object.entries(templates))('a template %s', (_, { template, markers, config, says }) => {
  let text: ModelText;
  beforeAll(async () => {
    text = await open({ template, markers, ...(config && { config }) });
  });

  it.each(Object.entries(contents))("learns the assistant's text, with %s", (_, [one, two, three]) => {
    const messages = conversation('hello', one, two, two, one, three);
    expect(learned(text, messages)).toBe(says(one, true) + says(two, true) + says(three, false));
  });

  it("learns the assistant's text after a system message, and before an open question", () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      ...conversation('hello', 'hello there', 'the answer?'),
    ];
    expect(learned(text, messages)).toBe(says('hello there', true));
  });

  it('learns nothing from a conversation without the assistant', () => {
    expect(learned(text, conversation('hello'))).toBe('');
  });

  it('learns everything but the first token with trainOn "all"', () => {
    const messages = conversation('hello', 'hello there');
    const { ids, supervised } = text.encodeChat(messages, { trainOn: 'all' });
    expect([...ids]).toEqual(text.encode(text.renderChat(messages)));
    expect(supervised).toEqual(Array.from(ids, (_, index) => index > 0));
  });
});

describe.each<Style>(['qwen', 'llama'])('a tokenizer in the manner of %s', style => {
  /** One normalizes characters, the other adds a space after a marker. */
  const seen = (said: string) => (style === 'qwen' ? said.normalize('NFC') : said.replaceAll(' ', ''));

  it.each(Object.entries(contents))("learns the assistant's text, with %s", async (_, [one, two, three]) => {
    const text = await open({ style });
    const said = learned(text, conversation('hello', one, 'x', two, 'y', three));
    expect(seen(said)).toBe(seen([one, two, three].map(turn => `${turn}<|im_end|>`).join('')));
  });
});

describe('at the borders of a turn', () => {
  it('a token that starts in the header is not learned, even if it reaches into the text', async () => {
    const text = await open({ sample: 'x\n\ny\n\nz\n\n', merges: 1 });
    const messages = conversation('hello', '\n\n\nhi');
    const { ids } = text.encodeChat(messages, { trainOn: 'assistant' });
    expect([...ids]).toContain(text.encode('\n\n')[0]);
    expect(learned(text, messages)).toBe('\n\nhi<|im_end|>');
    expect(learned(text, conversation('hello', '\n\nhi'))).toBe('\nhi<|im_end|>');
  });

  it('learning starts where the prompt ends, which excludes a thought that the prompt contains', async () => {
    const { template } = templates['in the manner of Qwen3']!;
    const text = await open({ template });
    const { ids, supervised } = text.encodeChat(conversation('hello', 'hi'), {
      trainOn: 'assistant',
      variables: { enable_thinking: false },
    });
    expect(text.decode([...ids].filter((_, index) => supervised[index]))).toBe('hi<|im_end|>');
  });

  it('an assistant that speaks first is learned even if the template rejects an empty conversation', async () => {
    const template = "{% if not messages %}{{ raise_exception('nothing to say') }}{% endif %}";
    const text = await open({ template: template + templates.chatml!.template });
    expect(learned(text, conversation('', 'hi').slice(1))).toBe('hi<|im_end|>');
  });

  it('a text that contains the placeholder is learned', async () => {
    const text = await open();
    const word = uniqueWord([]);
    expect(learned(text, conversation(word, word, word, word))).toBe(`${word}<|im_end|>`.repeat(2));
  });

  it('an assistant that speaks first, or twice in a row, is learned', async () => {
    const text = await open({ template: templates['in the manner of Qwen2.5']!.template });
    const say = (content: string) => ({ role: 'assistant', content });
    expect(learned(text, [say('hello'), { role: 'user', content: 'x' }, say('a'), say('b')])).toBe(
      'hello<|im_end|>a<|im_end|>b<|im_end|>',
    );
  });
});

describe('tool calls', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a": [1, 2]}' } };
  const messages: ChatMessage[] = [
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', content: '3' },
    { role: 'assistant', content: 'it is 3' },
  ];
  const said = '<call>\nadd {"a": [1, 2]}\n</call><|im_end|>it is 3<|im_end|>';

  it('are learned as the template renders them, with arguments as JSON rather than as a JSON string', async () => {
    const text = await open({ template: templates['in the manner of Qwen2.5']!.template });
    expect(learned(text, messages, { tools: [{ name: 'add' }] })).toBe(said);
    expect(text.renderChat(messages, { tools: [{ name: 'add' }] })).toContain('tool: {"name": "add"}');
  });

  it('are learned if the template renders the last turn differently, and after a text with markers', async () => {
    const text = await open({ template: templates['in the manner of Qwen3']!.template });
    const turns = messages.map(turn => (turn.tool_calls ? { ...turn, content: 'I add<|im_end|>' } : turn));
    const call = '\n<call>\nadd {"a": [1, 2]}\n</call><|im_end|>';
    const thought = '<think>\n\n</think>\n\n';
    expect(learned(text, turns)).toBe(`I add<|im_end|>${call}${thought}it is 3<|im_end|>`);
    expect(learned(text, turns.slice(0, 2))).toBe(`${thought}I add<|im_end|>${call}`);
  });

  it('are absent if they are null or empty, as in tables with the column', async () => {
    const template =
      "{% for m in messages %}<{{ m.role }}>{{ 'tool_calls' in m or 'name' in m }}{% endfor %}";
    const text = await open({ template });
    const column = { tool_calls: null, name: null };
    expect(
      text.renderChat([
        { role: 'user', ...column },
        { role: 'assistant', tool_calls: [] },
      ]),
    ).toBe('<user>false<assistant>false');
  });

  it('are an error if the template joins them with text', async () => {
    const text = await open({ template: "{{ 'calls: ' + messages[1].tool_calls[0].function.arguments }}" });
    expect(() => text.renderChat(messages)).toThrow(/joins an object/);
    const named = await open();
    expect(named.renderChat([{ role: 'user', content: '[object Map]' }])).toContain('[object Map]');
  });

  it('use the tool_use template', async () => {
    const { template } = templates['in the manner of Qwen2.5']!;
    const text = await open({
      config: {
        chat_template: [
          { name: 'default', template: '{{ messages[0].content }}' },
          { name: 'tool_use', template },
        ],
      },
    });
    expect(text.renderChat(messages)).toBe('hello');
    expect(learned(text, messages, { tools: [{ name: 'add' }] })).toBe(said);
  });
});

it('generation tags are ignored if they would change the rendered text', async () => {
  const template =
    '{% for m in messages %}<{{ m.role }}>{% generation %}{% set mark = "!" %}{{ m.content }}' +
    '{% endgeneration %}{{ mark }}{% endfor %}';
  expect(learned(await open({ template }), conversation('hello', 'hi', 'x', 'y'))).toBe('hi!y!');
});

describe('a template that cannot be analyzed is rejected with the turn and the reason', () => {
  const wrap = (inside: string) => `{% for message in messages %}<{{ message.role }}>${inside}{% endfor %}`;
  it.each([
    ['changes the text', wrap('{{ message.content | upper }}'), /messages\[1\].*omits or changes that text/],
    ['repeats the text', wrap('{{ message.content }}{{ message.content }}'), /more than once/],
    [
      'counts the text before it',
      wrap('{{ message.content | length }}{{ message.content }}'),
      /before it depends/,
    ],
    [
      'counts the text after it',
      wrap('{{ message.content }}{{ message.content | length }}'),
      /after it depends/,
    ],
  ])('if it %s', async (_, template, reason) => {
    const text = await open({ template });
    const messages = conversation('hello', 'hi');
    expect(() => text.encodeChat(messages, { trainOn: 'assistant' })).toThrow(reason);
    expect(text.encodeChat(messages, { trainOn: 'all' }).ids.length).toBeGreaterThan(0);
  });
});
