// A model's chat template: where it is written, and how a conversation becomes text by it. What it says of conversations
// reaches callers, who may not learn where on this machine it lies.
import { basename } from 'node:path';
import { Template } from '@huggingface/jinja';
import type { TemplateMessage } from './chat-message.js';
import { reasonOf, TextError } from './errors.js';
import { isObject, type TextFiles } from './text-files.js';

export interface TemplateOptions {
  /** What the model may call, in the form of chat requests. */
  readonly tools?: readonly unknown[] | undefined;
  /** Further variables of the template, such as `enable_thinking` or `date_string`. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

export interface RenderOptions extends TemplateOptions {
  /** Ends with the header after which the assistant speaks; false unless given. */
  readonly addGenerationPrompt?: boolean | undefined;
}

export interface ChatTemplate {
  /** The name of its file. Errors carry it to callers, whom the folder is no business of. */
  readonly file: string;
  readonly source: string;
  render(messages: readonly TemplateMessage[], options?: RenderOptions): string;
}

/** The template for plain chats, and the one for chats with tools where that is another. */
export interface ChatTemplates {
  readonly plain: ChatTemplate;
  readonly withTools: ChatTemplate;
}

/** What is in the folder; a `chat_template.jinja` goes before what tokenizer_config.json says. */
export function readChatTemplates(
  { config, template }: TextFiles,
  tokens: Readonly<Record<string, string>>,
): ChatTemplates | undefined {
  const at = (path: string, source: string) => compileTemplate(path, source, tokens);
  if (template) return both(at(template.path, template.source));
  const given = config.content.chat_template;
  if (typeof given === 'string') return both(at(config.path, given));
  if (!Array.isArray(given) || given.length === 0) return undefined;

  const sources = new Map(given.filter(isObject).map(({ name, template }) => [name, template]));
  const plain = sources.get('default') ?? [...sources.values()][0];
  if (typeof plain !== 'string')
    throw new TextError(`${config.path}: chat_template names no default template.`);
  const withTools = sources.get('tool_use');
  return {
    ...both(at(config.path, plain)),
    ...(typeof withTools === 'string' && { withTools: at(config.path, withTools) }),
  };
}

const both = (template: ChatTemplate): ChatTemplates => ({ plain: template, withTools: template });

export function compileTemplate(
  path: string,
  source: string,
  tokens: Readonly<Record<string, string>>,
): ChatTemplate {
  const template = parse(path, source);
  const file = basename(path);
  return {
    file,
    source,
    render(messages, { tools, variables, addGenerationPrompt = false } = {}) {
      const given = { messages, tools: tools ?? null, add_generation_prompt: addGenerationPrompt };
      try {
        return refuseObjects(template.render({ ...tokens, ...variables, ...given }), messages);
      } catch (error) {
        const reason = reasonOf(error);
        throw new TextError(`The chat template in ${file} cannot write this conversation: ${reason}`, {
          cause: error,
        });
      }
    },
  };
}

function parse(path: string, source: string): Template {
  try {
    return new Template(source);
  } catch (error) {
    // The package runs off the end of a template whose blocks are not closed.
    const reason = error instanceof TypeError ? 'it ends before a block of it is closed' : reasonOf(error);
    throw new TextError(`The chat template in ${path} does not parse: ${reason}`, { cause: error });
  }
}

/** The package writes an object that a template joins with text as this, where Jinja would fail. */
function refuseObjects(rendered: string, messages: readonly TemplateMessage[]): string {
  const sign = '[object Map]';
  if (!rendered.includes(sign) || JSON.stringify(messages).includes(sign)) return rendered;
  throw new Error('it joins an object, such as the arguments of a tool call, with a text');
}
