// Chat templates in the manners of model families, each with what the assistant says in a conversation by it.
import { chatMarkers, chatmlTemplate } from './tiny-tokenizer.js';

export interface TemplateCase {
  template: string;
  markers: string[];
  config?: Record<string, unknown>;
  /** What is learned of a turn with this text; whether a user speaks after it. */
  says(text: string, isEarlier: boolean): string;
}

const prompt = `{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}`;
const asIs = (text: string) => `${text}<|im_end|>`;
const chatml = { markers: chatMarkers, says: asIs };

export const templates: Record<string, TemplateCase> = {
  chatml: { ...chatml, template: chatmlTemplate },

  'in the manner of SmolLM2': {
    ...chatml,
    template: `{% for message in messages %}
{% if loop.first and message['role'] != 'system' %}
{{ '<|im_start|>system\\nYou are a small and friendly assistant.<|im_end|>\\n' }}{% endif %}
{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}
${prompt}`,
  },

  'in the manner of Qwen2.5': {
    ...chatml,
    template: `{%- set tools = tools if tools else [] %}
{%- if messages[0].role == 'system' %}
    {{- '<|im_start|>system\\n' + messages[0].content }}
{%- else %}
    {{- '<|im_start|>system\\nAnswer in a helpful way.' }}
{%- endif %}
{%- for tool in tools %}
    {{- '\\ntool: ' + (tool | tojson) }}
{%- endfor %}
{{- '<|im_end|>\\n' }}
{%- for message in messages %}
    {%- if message.role == 'assistant' and message.tool_calls %}
        {{- '<|im_start|>assistant' }}
        {%- if message.content %}{{- '\\n' + message.content }}{%- endif %}
        {%- for call in message.tool_calls %}
            {{- '\\n<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) + '}\\n</tool_call>' }}
        {%- endfor %}
        {{- '<|im_end|>\\n' }}
    {%- elif not (message.role == 'system' and loop.first) %}
        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}
    {%- endif %}
{%- endfor %}
${prompt}`,
  },

  'in the manner of Qwen3': {
    markers: chatMarkers,
    says(text, isEarlier) {
      const [thought, answer] = text.includes('</think>')
        ? [
            text.split('</think>')[0]!.split('<think>').at(-1)!.trim(),
            text.split('</think>').at(-1)!.trimStart(),
          ]
        : ['', text];
      return asIs(isEarlier ? answer : `<think>\n${thought}\n</think>\n\n${answer}`);
    },
    template: `{%- set found = namespace(question=-1) %}
{%- for message in messages[::-1] %}
    {%- set place = (messages | length - 1) - loop.index0 %}
    {%- if message.role == 'user' and found.question < 0 %}{%- set found.question = place %}{%- endif %}
{%- endfor %}
{%- for message in messages %}
    {{- '<|im_start|>' + message.role + '\\n' }}
    {%- set thought = '' %}
    {%- set answer = message.content %}
    {%- if message.role == 'assistant' and '</think>' in answer %}
        {%- set thought = (answer.split('</think>')[0]).split('<think>')[-1] | trim %}
        {%- set answer = (answer.split('</think>')[-1]).lstrip() %}
    {%- endif %}
    {%- if message.role == 'assistant' and loop.index0 > found.question and (loop.last or thought) %}
        {{- '<think>\\n' + thought + '\\n</think>\\n\\n' }}
    {%- endif %}
    {{- answer }}
    {%- if message.tool_calls %}
        {%- for call in message.tool_calls %}
            {{- '\\n<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) + '}\\n</tool_call>' }}
        {%- endfor %}
    {%- endif %}
    {{- '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- endif %}
{%- endif %}`,
  },

  'in the manner of Llama 3': {
    markers: [
      '<|end_of_text|>',
      '<|begin_of_text|>',
      '<|start_header_id|>',
      '<|end_header_id|>',
      '<|eot_id|>',
    ],
    config: { bos_token: '<|begin_of_text|>' },
    says: text => `${text.trim()}<|eot_id|>`,
    template: `{{- bos_token }}
{%- if not date_string is defined %}{%- set date_string = strftime_now('%d %b %Y') %}{%- endif %}
{%- if messages[0]['role'] != 'system' %}
    {{- '<|start_header_id|>system<|end_header_id|>\\n\\nToday: ' + date_string + '<|eot_id|>' }}
{%- endif %}
{%- for message in messages %}
    {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n' }}
    {{- message['content'] | trim + '<|eot_id|>' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{%- endif %}`,
  },

  'in the manner of Gemma 3, without a role for the system': {
    markers: ['<eos>', '<bos>', '<start_of_turn>', '<end_of_turn>'],
    config: { bos_token: '<bos>' },
    says: text => `${text.trim()}<end_of_turn>`,
    template: `{{ bos_token }}
{%- if messages[0]['role'] == 'system' -%}
    {%- set opening = messages[0]['content'] + '\n\n' -%}{%- set turns = messages[1:] -%}
{%- else -%}
    {%- set opening = '' -%}{%- set turns = messages -%}
{%- endif -%}
{%- for message in turns -%}
    {%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) -%}
        {{ raise_exception('roles must alternate') }}
    {%- endif -%}
    {{ '<start_of_turn>' + ('model' if message['role'] == 'assistant' else message['role']) + '\n' }}
    {{- (opening if loop.first else '') + (message['content'] | trim) + '<end_of_turn>\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<start_of_turn>model\n' }}{%- endif -%}`,
  },

  'in the manner of Llama 2, without a generation prompt': {
    markers: ['</s>', '<s>'],
    config: { bos_token: '<s>' },
    says: text => ` ${text.trim()} </s>`,
    template: `{% for message in messages %}
{% if message.role == 'user' %}
{{ bos_token + '[INST] ' + message.content + ' [/INST]' }}
{%- elif message.role == 'assistant' %}
{{ ' ' + message.content | trim + ' ' + eos_token }}
{%- elif not loop.first %}{{ raise_exception('only the first message may be of the system') }}
{%- else %}{{ '<<SYS>>' + message.content + '<</SYS>>' }}
{%- endif %}{% endfor %}`,
  },

  'that ends a conversation with one more marker': {
    markers: ['<|endoftext|>', '<|user|>', '<|assistant|>', '<|end|>'],
    template: `{% for message in messages %}{{ '<|' + message.role + '|>\\n' + message.content + '<|end|>' }}{% endfor %}
{% if add_generation_prompt %}{{ '<|assistant|>\\n' }}{% else %}{{ eos_token }}{% endif %}`,
    // The last turn ends the text as well.
    says: (text, isEarlier) => `${text}<|end|>${isEarlier ? '' : '<|endoftext|>'}`,
  },

  'that ends a turn with two markers': {
    markers: ['<|endoftext|>', '<|user|>', '<|assistant|>', '<|end|>', '<|over|>'],
    says: text => `${text}<|end|><|over|>`,
    template: `{% for message in messages %}{{ '<|' + message.role + '|>' + message.content + '<|end|><|over|>' }}{% endfor %}
{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}`,
  },

  'that ends a turn with words': {
    markers: ['<|endoftext|>'],
    says: text => ` ${text} (over)`,
    template: `{% for message in messages %}{{ message.role + ': ' + message.content + ' (over)\\n' }}{% endfor %}
{% if add_generation_prompt %}{{ 'assistant:' }}{% endif %}`,
  },

  'whose prompt opens a thought that earlier turns lack': {
    ...chatml,
    says: (text, isEarlier) => asIs(isEarlier ? text.replace(/^<think>\n/, '') : text),
    template: `{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' }}
{%- if message.role == 'assistant' and loop.last %}{{ '<think>\\n' }}{% endif %}
{{- message.content + '<|im_end|>\\n' }}{% endfor %}
{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n<think>\\n' }}{% endif %}`,
  },

  'with generation tags': {
    ...chatml,
    template: `{%- for message in messages %}
    {%- if message.role == 'assistant' %}
        {{- '<|im_start|>assistant\\n' }}
        {%- generation %}
            {{- message.content + '<|im_end|>' }}
        {%- endgeneration %}
        {{- '\\n' }}
    {%- else %}
        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
    {%- endif %}
{%- endfor %}
${prompt}`,
  },

  'with generation tags that leave the marker out': {
    ...chatml,
    template: `{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' }}
{%- if message.role == 'assistant' %}{% generation %}{{ message.content }}{% endgeneration %}
{%- else %}{{ message.content }}{% endif %}{{ '<|im_end|>\\n' }}{% endfor %}
${prompt}`,
    config: { eos_token: '<|im_end|>' },
  },
};
