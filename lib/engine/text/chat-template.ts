// A model's chat template: reads it from the model's folder, and renders conversations. Errors about conversations
// reach API callers, who must not learn the paths of this machine.
import { basename } from 'node:path';
import type { TemplateMessage } from './chat-message.js';
import { reasonOf, TextError } from './errors.js';
import { type JinjaTemplate, parseJinja } from './jinja/index.js';
import { type ChatFiles, isObject, type TextFiles } from './text-files.js';
import { findToolPlace, type ToolPlace } from './tool-place.js';

export interface TemplateOptions {
  /** The tools that the model may call, as in chat requests. */
  readonly tools?: readonly unknown[] | undefined;
  /** Additional template variables, such as `enable_thinking` or `date_string`. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** The time that the template is told. Default: the time of day. */
  readonly now?: Date | undefined;
}

export interface RenderOptions extends TemplateOptions {
  /** Appends the header of the assistant's turn. Defaults to false. */
  readonly addGenerationPrompt?: boolean | undefined;
}

export interface ChatTemplate extends ToolPlace {
  /** The name of its file, without the folder, because it appears in errors that reach callers. */
  readonly file: string;
  readonly source: string;
  render(messages: readonly TemplateMessage[], options?: RenderOptions): string;
}

/** The template for plain chats, and the one for chats with tools, which may be the same. */
interface ChatTemplates {
  readonly plain: ChatTemplate;
  readonly withTools: ChatTemplate;
}

export function hasChatTemplate({ config, template }: ChatFiles): boolean {
  const given = config?.content.chat_template;
  return template !== undefined || typeof given === 'string' || (Array.isArray(given) && given.length > 0);
}

/** Reads the templates of a folder. A `chat_template.jinja` takes precedence over tokenizer_config.json. */
export function readChatTemplates(
  files: TextFiles,
  tokens: Readonly<Record<string, string>>,
): ChatTemplates | undefined {
  if (!hasChatTemplate(files)) return undefined;
  const { config, template } = files;
  const at = (path: string, source: string) => compileTemplate(path, source, tokens);
  if (template) return both(at(template.path, template.source));
  const given = config.content.chat_template;
  if (typeof given === 'string') return both(at(config.path, given));
  const sources = new Map(
    (given as unknown[]).filter(isObject).map(({ name, template }) => [name, template]),
  );
  const plain = sources.get('default') ?? [...sources.values()][0];
  if (typeof plain !== 'string')
    throw new TextError(`${config.path}: chat_template has no default template.`);
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
  const render: ChatTemplate['render'] = (
    messages,
    { tools, variables, now, addGenerationPrompt = false } = {},
  ) => {
    const given = { messages, tools: tools ?? null, add_generation_prompt: addGenerationPrompt };
    try {
      return template.render({ ...tokens, ...variables, ...given }, now);
    } catch (error) {
      const reason = reasonOf(error);
      throw new TextError(`The chat template in ${file} cannot render this conversation: ${reason}`, {
        cause: error,
      });
    }
  };
  return { file, source, render, ...findToolPlace(render) };
}

function parse(path: string, source: string): JinjaTemplate {
  try {
    return parseJinja(source);
  } catch (error) {
    // The package throws a TypeError at the end of a template with an unclosed block.
    const reason = error instanceof TypeError ? 'it ends before a block is closed' : reasonOf(error);
    throw new TextError(`The chat template in ${path} does not parse: ${reason}`, { cause: error });
  }
}
