// A home's project as programs for OpenAI's API see it: its jobs are paused and resumed, and its adapters asked.
import type { IssuedKey } from '../../../lib/contract/index.js';
import type { Home } from '../../endurance/home.js';
import { askProgram } from '../../support/program.js';
import { mapSomeAtOnce } from './some-at-once.js';

const AT_ONCE = 16;

export interface ProjectApi {
  tell(jobId: string, what: 'pause' | 'resume'): Promise<void>;
  /** The likeliest answer of the job's final adapter to each. */
  answer(jobId: string, questions: readonly object[][]): Promise<string[]>;
}

export async function openProjectApi(home: Home): Promise<ProjectApi> {
  const { url } = await home.wake();
  const issue = ['keys', 'issue', '--project', '--label', 'test'];
  const { key } = await askProgram<{ key: IssuedKey }>(issue, home.place);
  const headers = { authorization: `Bearer ${key.plaintext}`, 'content-type': 'application/json' };

  async function ask<T>(path: string, body?: object): Promise<T> {
    const sent = body && { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${url}/openai/v1/${path}`, { headers, ...sent });
    if (!response.ok)
      throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  }

  return {
    tell: (jobId, what) => ask(`fine_tuning/jobs/${jobId}/${what}`, {}),
    async answer(jobId, questions) {
      const { data } = await ask<{ data: { id: string }[] }>('models');
      const model = data.find(({ id }) => id.startsWith('ft:') && id.endsWith(jobId))?.id;
      const answers = await mapSomeAtOnce(questions, AT_ONCE, messages =>
        ask<{ choices: { message: { content: string } }[] }>('chat/completions', {
          model,
          messages,
          temperature: 0,
          max_tokens: 60,
        }),
      );
      return answers.map(({ choices }) => choices[0]!.message.content);
    },
  };
}
