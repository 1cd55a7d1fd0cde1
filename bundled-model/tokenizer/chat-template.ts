// How the base model reads conversations: each turn between two markers, its role on the first line. The template adds
// no text, and marks what the assistant generates, so that trainers learn only that.
import { turnEnd, turnStart } from './special-tokens.js';

/** Jinja, for transformers and our engine. */
export const chatTemplate = String.raw`
{%- for message in messages %}
  {%- if message.role not in ['system', 'user', 'assistant', 'tool'] %}
    {{- raise_exception('The role "' ~ message.role ~ '" is not system, user, assistant or tool.') }}
  {%- endif %}
  {%- if message.tool_calls %}
    {{- raise_exception('This model writes no tool calls: put what the assistant says into its content.') }}
  {%- endif %}
  {{- '${turnStart}' + message.role + '\n' }}
  {%- if message.role == 'assistant' %}
    {%- generation %}
      {{- message.content + '${turnEnd}' }}
    {%- endgeneration %}
  {%- else %}
    {{- message.content + '${turnEnd}' }}
  {%- endif %}
  {{- '\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
  {{- '${turnStart}assistant\n' }}
{%- endif %}`.trimStart();
