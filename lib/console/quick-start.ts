// Quick-start samples for a deployment. Each runs as pasted once the key is filled in.
import type { Deployment } from '../contract/index.js';

export const LANGUAGES = [
  { value: 'curl', label: 'cURL' },
  { value: 'python', label: 'Python' },
  { value: 'javascript', label: 'JavaScript' },
] as const;

export type Language = (typeof LANGUAGES)[number]['value'];

export const OPERATIONS = ['POST /v1/chat/completions'] as const;

/** Client libraries refuse an empty key, so this stands in where none is needed. */
const NO_KEY = 'not-required';
const KEY = '<API_KEY>';
const QUESTION = 'Hello!';

type CallableDeployment = Pick<Deployment, 'slug' | 'url' | 'pathUrl' | 'authMode'>;

/** The full URL of the operation, as shown and copied. */
export function operationUrl({ url }: Pick<CallableDeployment, 'url'>): string {
  return `${trimSlash(url)}/v1/chat/completions`;
}

/**
 * The base URL for client libraries, which append the operation's path themselves. Many cannot resolve
 * `<slug>.localhost`, so under `localhost` they get the path form.
 */
export function libraryBaseUrl({ url, pathUrl }: Pick<CallableDeployment, 'url' | 'pathUrl'>): string {
  return `${trimSlash(pathUrl ?? url)}/v1`;
}

const SAMPLES: Readonly<Record<Language, (deployment: CallableDeployment) => string>> = {
  curl: deployment => curlCall(deployment, needsKey(deployment) ? KEY : null),
  python: deployment => `from openai import OpenAI

client = OpenAI(
    base_url="${libraryBaseUrl(deployment)}",
    api_key="${libraryKey(deployment)}",
)

completion = client.chat.completions.create(
    model="${deployment.slug}",
    messages=[{"role": "user", "content": "${QUESTION}"}],
)
print(completion.choices[0].message.content)`,
  javascript: deployment => `import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: '${libraryBaseUrl(deployment)}',
  apiKey: '${libraryKey(deployment)}',
});

const completion = await client.chat.completions.create({
  model: '${deployment.slug}',
  messages: [{ role: 'user', content: '${QUESTION}' }],
});
console.log(completion.choices[0].message.content);`,
};

/** The sample for a language, following the deployment's current settings. A real key is never in it. */
export function quickStart(language: Language, deployment: CallableDeployment): string {
  return SAMPLES[language](deployment);
}

/** A complete cURL call with that key, or without an authorization header. */
export function curlCall(deployment: CallableDeployment, key: string | null): string {
  const body = JSON.stringify({ model: deployment.slug, messages: [{ role: 'user', content: QUESTION }] });
  return [
    `curl ${operationUrl(deployment)}`,
    ...(key === null ? [] : [`  -H "Authorization: Bearer ${key}"`]),
    '  -H "Content-Type: application/json"',
    `  -d '${body}'`,
  ].join(' \\\n');
}

function libraryKey(deployment: CallableDeployment): string {
  return needsKey(deployment) ? KEY : NO_KEY;
}

function needsKey({ authMode }: CallableDeployment): boolean {
  return authMode === 'fixed_api_key';
}

function trimSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
