// What a chat template says of thoughts: their marks, and whether an answer may start with one.
import { describe, expect, it } from 'vitest';
import { templates } from '../../support/chat-templates.js';
import { openTiny, user } from './tiny-text.js';

const turns = (inner: string) =>
  `{%- for m in messages -%}{{ '<|im_start|>' + m.role + '\\n' }}${inner}{{ m.content + '<|im_end|>\\n' }}{%- endfor -%}`;
const prompt = (opening: string) =>
  `{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\\n${opening}' }}{%- endif -%}`;
const writing = (start: string, end: string) =>
  turns(`{%- if m.reasoning_content -%}{{ '${start}' + m.reasoning_content + '${end}' }}{%- endif -%}`);

const THINK = { start: '<think>', end: '</think>' };
const MANNERS: [name: string, template: string, found: object | undefined][] = [
  ['no thoughts', turns('') + prompt(''), undefined],
  ['earlier thoughts', writing('<think>\\n', '\\n</think>\\n\\n') + prompt(''), THINK],
  [
    'earlier thoughts by another name',
    writing('<t>', '</t>').replaceAll('reasoning_content', 'thinking') + prompt(''),
    { start: '<t>' },
  ],
  ['marks of its own', writing('[THINK]', '[/THINK]') + prompt(''), { start: '[THINK]', end: '[/THINK]' }],
  [
    'a prompt that starts a thought',
    writing('<t>', '</t>') + prompt('<t>\\n'),
    { start: '<t>', isOpen: true },
  ],
  [
    'only the tags by name',
    `{#- </think> -#}${turns('')}${prompt('<think>\\n')}`,
    { ...THINK, isOpen: true },
  ],
  [
    'a prompt with an empty thought',
    writing('<think>', '</think>') + prompt('<think>\\n\\n</think>\\n\\n'),
    undefined,
  ],
  ['headings', writing('Thought: ', '\\nAnswer: ') + prompt(''), undefined],
  ['a refusal', `{{ raise_exception('no') }}`, undefined],
];

describe('a template', () => {
  it.each(MANNERS)('with %s', async (_, template, found) => {
    const text = await openTiny({ template });
    const rendered = template.includes('raise')
      ? ''
      : text.renderChat([user('Hi')], { addGenerationPrompt: true });
    const thought = text.thoughtAfter(text.encode(rendered));
    if (!found) expect(thought).toBeUndefined();
    else expect(thought).toMatchObject({ isOpen: false, ...found });
  });

  it('can turn thoughts off with a variable', async () => {
    const text = await openTiny(templates['in the manner of Qwen3']!);
    const thoughtWith = (variables?: Record<string, unknown>) =>
      text.thoughtAfter(text.encode(text.renderChat([user('Hi')], { addGenerationPrompt: true, variables })));
    expect(thoughtWith()).toEqual({ ...THINK, isOpen: false });
    expect(thoughtWith({ enable_thinking: true, unknown: [1] })).toEqual({ ...THINK, isOpen: false });
    expect(thoughtWith({ enable_thinking: false })).toBeUndefined();
  });
});
