// A chat template for Ollama, which does not render the Jinja template of a GGUF file, but one in the language of Go. It is found by
// rendering conversations: what stands before, between and after their texts.
import type { TemplateVariables } from '../../contract/index.js';
import { type ModelText, ROWS_DAY, TextError } from '../text/index.js';

interface Parts {
  /** Before the user's first text, if there is no text of the system. */
  readonly opening: string;
  /** The same around a text of the system. Where a template rejects it, that comes before the user's. */
  readonly withSystem: readonly [before: string, after: string];
  /** Between the user's text and the assistant's, and between that and the user's next. */
  readonly answer: string;
  readonly question: string;
  /** After the user's last text. */
  readonly prompt: string;
}

type Chat = readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[];

/** Null if the template writes more than texts around texts. `bos`: a token that Ollama adds by itself. */
export function toOllamaTemplate(
  text: Pick<ModelText, 'renderChat'>,
  variables: TemplateVariables | undefined,
  bos: string | undefined,
): string | null {
  const render = (chat: Chat) => {
    const rendered = renderPrompt(text, chat, variables);
    return bos && rendered?.startsWith(bos) ? rendered.slice(bos.length) : rendered;
  };
  const parts = findParts(render);
  const isRight = (chat: Chat) => parts && write(parts, chat) === render(chat);
  const [asked, all] = [CHAT.slice(1), CHAT];
  const isWhole = [asked.slice(0, 1), asked, ...(render(all) === null ? [] : [all.slice(0, 2), all])];
  return parts && isWhole.every(isRight) && !Object.values(parts).flat().join().includes('"""')
    ? toGo(parts)
    : null;
}

/** Null if the template rejects it. */
function renderPrompt(
  { renderChat }: Pick<ModelText, 'renderChat'>,
  chat: Chat,
  variables: TemplateVariables | undefined,
): string | null {
  try {
    return renderChat(chat, { variables, now: ROWS_DAY, addGenerationPrompt: true });
  } catch (error) {
    if (error instanceof TextError) return null;
    throw error;
  }
}

/** Texts that a template neither has nor changes. */
const CHAT: Chat = (['system', 'user', 'assistant', 'user', 'assistant', 'user'] as const).map(
  (role, index) => ({ role, content: `svctext${'abcdef'[index]}` }),
);

function findParts(render: (chat: Chat) => string | null): Parts | null {
  const [system, ...chat] = CHAT.slice(0, 4);
  const plain = split(render(chat), chat);
  if (!plain) return null;
  const [opening, answer, question, prompt] = plain as [string, string, string, string];
  const led = split(render([system!, ...chat]), CHAT.slice(0, 4));
  return {
    ...{ opening, answer, question, prompt },
    withSystem: led ? [led[0]!, led[1]!] : [opening, '\n\n'],
  };
}

/** What is around the texts. Null if one of them is not there, or they come in another order. */
function split(rendered: string | null, chat: Chat): string[] | null {
  const parts = rendered?.split(new RegExp(chat.map(({ content }) => content).join('|'))) ?? [];
  const isInOrder = rendered === parts.map((part, index) => part + (chat[index]?.content ?? '')).join('');
  return isInOrder && parts.length === chat.length + 1 ? parts : null;
}

/** As Ollama renders it. */
function write({ opening, withSystem, answer, question, prompt }: Parts, chat: Chat): string {
  const system = chat[0]?.role === 'system' ? chat[0].content : null;
  let written = system === null ? opening : withSystem.join(system);
  for (const [index, { role, content }] of chat.slice(system === null ? 0 : 1).entries())
    written += (role === 'assistant' ? answer : index > 0 ? question : '') + content;
  return written + prompt;
}

function toGo({ opening, withSystem, answer, question, prompt }: Parts): string {
  const [before, after] = withSystem.map(quote);
  return [
    `{{ $role := "" }}{{ if .System }}${before}{{ .System }}${after}{{ else }}${quote(opening)}{{ end }}`,
    `{{ range .Messages }}{{ if eq .Role "user" }}{{ if $role }}${quote(question)}{{ end }}{{ .Content }}`,
    `{{ $role = .Role }}{{ else if eq .Role "assistant" }}${quote(answer)}{{ .Content }}{{ $role = .Role }}`,
    `{{ end }}{{ end }}{{ if ne $role "assistant" }}${quote(prompt)}{{ end }}`,
  ].join('');
}

const quote = (text: string) => text.replaceAll('{{', '{{ "{{" }}');
