// The source of a typed client for one endpoint, which needs no package: the types of its task, and the files of `client/`.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toSafeJson, toSafeLine } from '../console/safe-text.js';
import type { TaskDescription } from '../contract/index.js';
import { toType } from './schema-types.js';

/** The parts of every client, in the order of their declarations. */
const CLIENT_FILES = [
  'types',
  'messages',
  'in-order',
  'fits',
  'ask-endpoint',
  'likelihoods',
  'client',
] as const;
/** Those of clients that write the messages. */
const OF_PROMPTS: ReadonlySet<string> = new Set(['messages', 'in-order']);

interface ClientOptions {
  slug: string;
  /** The endpoint's URL, without `/v1`. */
  url: string;
  task: TaskDescription;
  /** The folder with the files of every client. */
  folder: string;
}

export async function writeClient({ slug, url, task, folder }: ClientOptions): Promise<string> {
  const needed = CLIENT_FILES.filter(name => task.prompt || !OF_PROMPTS.has(name));
  const parts = await Promise.all(needed.map(name => readFile(join(folder, `${name}.ts`), 'utf8')));
  const runtime = parts
    .map(withoutImports)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
  return `${head(slug, url, task)}\n${runtime}`;
}

/** The declarations of a file, which are not exported. */
function withoutImports(source: string): string {
  return source
    .replace(/^\/\/[^\n]*\n(?:\/\/[^\n]*\n)*/, '')
    .replace(/^import [^;]*;\n/gm, '')
    .replace(/^export (?=(?:async )?(?:function|const|class|interface|type) )/gm, '');
}

function head(slug: string, url: string, task: TaskDescription): string {
  const { name, kind, input, output, labels, prompt } = task;
  const known = { name, kind, input, output, ...(labels && { labels }) };
  return `// A typed client of the endpoint ${slug}, for the task ${toSafeLine(name)}. Written by "svc endpoints client ${slug}"; write it again when
// the endpoint serves another task. It needs no package, only \`fetch\`.
//
//   import { connect } from './${slug}.js';
//
//   const ask = connect({ apiKey: process.env.API_KEY${prompt ? '' : ", prompt: input => [{ role: 'user', content: … }]"} });
//   const output = await ask(input);
//   const { probabilities } = await ask.withProbabilities(input);

export type Input = ${toType(input)};

export type Output = ${toType(output)};

export type { AskOptions, LikelyAnswer, TaskClient, TaskErrorCode, TaskMessage };
export { TaskError };

export interface Connection extends Omit<TaskConnection, 'baseURL'> {
  /** Default: where the endpoint was when this file was written. */
  baseURL?: string | undefined;${prompt ? '' : '\n  /** Writes the messages as the task does. The endpoint does not know how. */\n  prompt(input: Input): TaskMessage[];'}
}

/** Connects to the endpoint. */
export function connect(connection: Connection${prompt ? ' = {}' : ''}): TaskClient<Input, Output> {
  return createTaskClient<Input, Output>(task, { ...connection, baseURL: connection.baseURL ?? baseURL }, {
    toMessages(input) {
      const misfit = findMisfit(task.input, input);
      if (misfit !== null) throw new TaskError('input_invalid', \`The input does not fit: \${misfit}.\`);
      return ${prompt ? 'writeMessages(prompt, task.input, input)' : 'connection.prompt(input)'};
    },
    readOutput(answer) {
      const misfit = findMisfit(task.output, answer);
      if (misfit !== null) throw new Error(\`\${misfit}.\`);
      return answer as Output;
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const stop = () => {
          clearTimeout(timer);
          reject(signal?.reason);
        };
        const timer = setTimeout(() => {
          signal?.removeEventListener('abort', stop);
          resolve();
        }, ms);
        signal?.addEventListener('abort', stop, { once: true });
      }),
  });
}

const baseURL = ${toSource(`${url}/v1`)};

const task: AskedTask & { readonly input: Schema; readonly output: Schema } = ${toSource(known)};
${prompt ? `\nconst prompt: readonly PromptMessage[] = ${toSource(prompt)};\n` : ''}`;
}

/**
 * JSON as source text, which stays the same where invisible characters are removed. A field called \`__proto__\` would be the
 * prototype in a literal, so the text is parsed.
 */
export function toSource(value: unknown): string {
  const json = JSON.stringify(value, null, 2);
  return toSafeJson(
    json.includes('"__proto__"') ? `JSON.parse(${JSON.stringify(JSON.stringify(value))})` : json,
  );
}
