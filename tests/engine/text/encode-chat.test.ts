import { describe, expect, it } from 'vitest';
import { uniqueWord } from '../../../lib/engine/text/assistant-spans.js';
import type { ChatMessage, ModelText } from '../../../lib/engine/text/index.js';
import { templates } from '../../support/chat-templates.js';
import type { Style } from '../../support/tiny-tokenizer.js';
import { assistant, learnedParts, openTiny, user } from './tiny-text.js';

const qwen = await openTiny({ template: templates['in the manner of Qwen2.5']!.template });
const qwen3 = await openTiny({ template: templates['in the manner of Qwen3']!.template });

const conversation = (...turns: string[]): ChatMessage[] =>
  turns.map((content, index) => (index % 2 ? assistant(content) : user(content)));

function learned(text: ModelText, messages: ChatMessage[], options: { tools?: unknown[] } = {}): string {
  const encoded = text.encodeChat(messages, { trainOn: 'assistant', ...options });
  expect(encoded.supervised).toHaveLength(encoded.ids.length);
  expect([...encoded.ids]).toEqual(text.encode(text.renderChat(messages, options)));
  return learnedParts(text, encoded).join('');
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

describe.each(Object.entries(templates))('a template %s', async (_, { says, ...options }) => {
  const text = await openTiny(options);

  it.each(Object.entries(contents))("learns the assistant's text, with %s", (_, [one, two, three]) => {
    const messages = conversation('hello', one, two, two, one, three);
    expect(learned(text, messages)).toBe(says(one, true) + says(two, true) + says(three, false));
  });

  it("learns the assistant's text after a system message, and before an open question", () => {
    const chat = conversation('hello', 'hello there', 'the answer?');
    const said = learned(text, [{ role: 'system', content: 'Be brief.' }, ...chat]);
    expect(said).toBe(says('hello there', true));
    expect(learned(text, conversation('hello'))).toBe('');
  });
});

describe.each<Style>(['qwen', 'llama'])('a tokenizer in the manner of %s', async style => {
  const text = await openTiny({ style });
  /** One normalizes characters, the other adds a space after a marker. */
  const seen = (said: string) => (style === 'qwen' ? said.normalize('NFC') : said.replaceAll(' ', ''));

  it.each(Object.entries(contents))("learns the assistant's text, with %s", (_, [one, two, three]) => {
    const said = learned(text, conversation('hello', one, 'x', two, 'y', three));
    expect(seen(said)).toBe(seen([one, two, three].map(turn => `${turn}<|im_end|>`).join('')));
  });
});

describe('at the borders of a turn', () => {
  it('a token that starts in the header is not learned, even if it reaches into the text', async () => {
    const text = await openTiny({ sample: 'x\n\ny\n\nz\n\n', merges: 1 });
    const messages = conversation('hello', '\n\n\nhi');
    const { ids } = text.encodeChat(messages, { trainOn: 'assistant' });
    expect([...ids]).toContain(text.encode('\n\n')[0]);
    expect(learned(text, messages)).toBe('\n\nhi<|im_end|>');
    expect(learned(text, conversation('hello', '\n\nhi'))).toBe('\nhi<|im_end|>');
  });

  it('learning starts where the prompt ends, which excludes a thought that the prompt contains', () => {
    const options = { trainOn: 'assistant', variables: { enable_thinking: false } } as const;
    const encoded = qwen3.encodeChat(conversation('hello', 'hi'), options);
    expect(learnedParts(qwen3, encoded)).toEqual(['hi<|im_end|>']);
  });

  it('learning starts in a thought that the prompt begins, which ends at once unless the row or the template goes on with one', async () => {
    const turns = (last: string) =>
      "{% for m in messages %}<|im_start|>{{ m.role }}\n{% if loop.last and m.role == 'assistant' %}" +
      `${last}{% else %}{{ m.content }}{% endif %}<|im_end|>\n{% endfor %}` +
      '{% if add_generation_prompt %}<|im_start|>assistant\n<think>\n{% endif %}{#- </think> -#}';
    const learnedWith = async (template: string, last = 'two') => {
      const messages = conversation('hello', 'one', 'again', last);
      const text = await openTiny({ template, sample: 'x\n\ny\n\nz\n\n', merges: 1 });
      expect(text.encode('\n\n')).toHaveLength(1);
      const encoded = text.encodeChat(messages, { trainOn: 'assistant' });
      const prompt = text.encode(text.renderChat(messages.slice(0, 3), { addGenerationPrompt: true }));
      expect([...encoded.ids].slice(0, prompt.length)).toEqual(prompt);
      return learnedParts(text, encoded);
    };
    const parts = (last: string) => ['one<|im_end|>', `${last}<|im_end|>`];
    const asIs = turns('{{ m.content }}');
    expect(await learnedWith(asIs)).toEqual(parts('</think>\n\ntwo'));
    expect(await learnedWith(asIs, 'why\n</think>\n\ntwo')).toEqual(parts('why\n</think>\n\ntwo'));
    expect(await learnedWith(asIs, '<think>\nwhy\n</think>\n\ntwo')).toEqual(parts('why\n</think>\n\ntwo'));
    expect(await learnedWith(turns('<think>\nno</think>{{ m.content }}'))).toEqual(parts('no</think>two'));
  });

  it('a thought that the prompt closes stays closed', async () => {
    const template = `${templates.chatml!.template}{% if add_generation_prompt %}<think>{{ '</think>' if messages | length > 2 }}{% endif %}`;
    const text = await openTiny({ template: `{#- </think> -#}${template}` });
    expect(learned(text, conversation('hello', 'one', 'again', 'two'))).toBe('one<|im_end|>two<|im_end|>');
  });

  it('an assistant that speaks first, or twice in a row, is learned, also if the template rejects an empty chat', async () => {
    const messages = [assistant('hello'), user('x'), assistant('a'), assistant('b')];
    expect(learned(qwen, messages)).toBe('hello<|im_end|>a<|im_end|>b<|im_end|>');
    const template = "{% if not messages %}{{ raise_exception('nothing to say') }}{% endif %}";
    const text = await openTiny({ template: template + templates.chatml!.template });
    expect(learned(text, [assistant('hi')])).toBe('hi<|im_end|>');
  });

  it('a text that contains the placeholder is learned', async () => {
    const word = uniqueWord([]);
    const said = learned(await openTiny(), conversation(word, word, word, word));
    expect(said).toBe(`${word}<|im_end|>`.repeat(2));
  });
});

describe('tool calls', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a": [1, 2]}' } };
  const messages: ChatMessage[] = [
    user('hello'),
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', content: '3' },
    assistant('it is 3'),
  ];
  const tools = [{ name: 'add' }];
  const said =
    '<tool_call>\n{"name": "add", "arguments": {"a": [1, 2]}}\n</tool_call><|im_end|>it is 3<|im_end|>';

  it('are learned as the template renders them, with arguments as JSON rather than as a JSON string', () => {
    expect(learned(qwen, messages, { tools })).toBe(said);
    expect(qwen.renderChat(messages, { tools })).toContain('tool: {"name": "add"}');
  });

  it('are learned if the template renders the last turn differently, and after a text with markers', () => {
    const turns = messages.map(turn => (turn.tool_calls ? { ...turn, content: 'I add<|im_end|>' } : turn));
    const call = '\n<tool_call>\n{"name": "add", "arguments": {"a": [1, 2]}}\n</tool_call><|im_end|>';
    const thought = '<think>\n\n</think>\n\n';
    expect(learned(qwen3, turns)).toBe(`I add<|im_end|>${call}${thought}it is 3<|im_end|>`);
    expect(learned(qwen3, turns.slice(0, 2))).toBe(`${thought}I add<|im_end|>${call}`);
  });

  it('are absent if they are null or empty, as in tables with the column', async () => {
    const template =
      "{% for m in messages %}<{{ m.role }}>{{ 'tool_calls' in m or 'name' in m }}{% endfor %}";
    const empty = [
      { role: 'user', tool_calls: null, name: null } as const,
      { role: 'assistant', tool_calls: [] },
    ];
    expect((await openTiny({ template })).renderChat(empty)).toBe('<user>False<assistant>False');
  });

  it('are an error if the template joins them with text', async () => {
    const template =
      '{% for m in messages %}{{ m.content }}{% for c in m.tool_calls or [] %}<tool_call>{{ c.function | tojson }}' +
      "{{ 'for ' + c.function.arguments.whom if c.function.arguments.whom }}{% endfor %}{% endfor %}";
    const text = await openTiny({ template });
    const given = { whom: { name: 'Ada' } };
    const asked = [{ role: 'assistant', tool_calls: [{ function: { name: 'add', arguments: given } }] }];
    expect(() => text.renderChat(asked)).toThrow(/joins an object/);
  });

  it('use the tool_use template', async () => {
    const { template } = templates['in the manner of Qwen2.5']!;
    const plain = { name: 'default', template: '{{ messages[0].content }}' };
    const text = await openTiny({ config: { chat_template: [plain, { name: 'tool_use', template }] } });
    expect(text.renderChat(messages)).toBe('hello');
    expect(learned(text, messages, { tools })).toBe(said);
  });
});

it('generation tags are found in a template with the line ends of Windows', async () => {
  const said = '{% generation %}\r\n{{ m.content }}\r\n{% endgeneration %}\r\n';
  const template = `{% for m in messages %}\r\n<{{ m.role }}>\r\n{% if m.role == 'user' %}{{ m.content }}{% else %}\r\n${said}{% endif %}{% endfor %}`;
  const text = await openTiny({ template });
  expect(text.renderChat(conversation('hello', 'hi'))).toBe('<user>\nhello<assistant>\nhi\n');
  expect(learned(text, conversation('hello', 'hi'))).toBe('hi\n');
});

it('generation tags are ignored if they would change the rendered text', async () => {
  const template =
    '{% for m in messages %}<{{ m.role }}>{% set shown %}{% generation %}{{ m.content }}' +
    '{% endgeneration %}{% endset %}{{ shown[:40] }}{% endfor %}';
  expect(learned(await openTiny({ template }), conversation('hello', 'hi', 'x', 'y'))).toBe('hiy');
});

describe('a template that cannot be analyzed is rejected with the turn and the reason', () => {
  it.each([
    ['changes the text', '{{ m.content | upper }}', /messages\[1\].*omits or changes that text/],
    ['repeats the text', '{{ m.content }}{{ m.content }}', /more than once/],
    ['counts the text before it', '{{ m.content | length }}{{ m.content }}', /before it depends/],
    ['counts the text after it', '{{ m.content }}{{ m.content | length }}', /after it depends/],
  ])('if it %s', async (_, inside, reason) => {
    const template = `{% for m in messages %}<{{ m.role }}>${inside}{% endfor %}`;
    const text = await openTiny({ template });
    const messages = conversation('hello', 'hi');
    expect(() => text.encodeChat(messages, { trainOn: 'assistant' })).toThrow(reason);
    expect(text.encodeChat(messages, { trainOn: 'all' }).ids.length).toBeGreaterThan(0);
  });
});
