// A project whose answers are stored, called by OpenAI's own client.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type OpenAI from 'openai';
import type { BackgroundResponses } from '../../../lib/cloud/stored-answers/background.js';
import { end, type ScriptedBackend, saying, scriptedBackend, text } from '../backends/scripted-backend.js';
import { openSampleCloud, type SampleCloud } from '../deployments/sample-cloud.js';
import { createSampleProjectApi } from '../project-api/sample-project-api.js';

export const HOUR_MS = 60 * 60 * 1000;

export interface StoredCloud extends SampleCloud {
  backend: ScriptedBackend;
  background: BackgroundResponses;
  client: OpenAI;
  /** Of another key of the same project. */
  colleague: OpenAI;
  /** Of another project. */
  stranger: OpenAI;
  apiKey: string;
  send: typeof fetch;
  /** All that is in the database's files. */
  bytesOnDisk(): Promise<string>;
}

export async function openStoredCloud(
  options: Parameters<typeof openSampleCloud>[3] = {},
  backend = scriptedBackend(saying(text('Hello there.'), end(5, 3))),
): Promise<StoredCloud> {
  const cloud = await openSampleCloud(undefined, undefined, undefined, options);
  const { issue, clientWith, send, background } = createSampleProjectApi(cloud, backend);
  const apiKey = (await issue()).plaintext;
  return {
    ...cloud,
    backend,
    background,
    apiKey,
    send,
    client: clientWith(apiKey),
    colleague: clientWith((await issue()).plaintext),
    stranger: clientWith((await issue('alpha/two')).plaintext),
    async bytesOnDisk() {
      const names = (await readdir(cloud.folder)).filter(name => name.startsWith('answers.db'));
      return (await Promise.all(names.map(name => readFile(join(cloud.folder, name), 'latin1')))).join('');
    },
  };
}

/** The prompt of the last question, as roles and texts. */
export const lastPrompt = ({ tasks }: ScriptedBackend) =>
  tasks.at(-1)!.messages.map(({ role, content }) => `${role}: ${content}`);
