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

type Endpoint = Pick<Deployment, 'slug' | 'url' | 'pathUrl' | 'authMode'>;

/** The full URL of the operation, as shown and copied. */
export function operationUrl({ url }: Pick<Endpoint, 'url'>): string {
  return `${trimSlash(url)}/v1/chat/completions`;
}

/**
 * The base URL for client libraries, which append the operation's path themselves. Many cannot resolve
 * `<slug>.localhost`, so under `localhost` they get the path form.
 */
export function libraryBaseUrl({ url, pathUrl }: Pick<Endpoint, 'url' | 'pathUrl'>): string {
  return `${trimSlash(pathUrl ?? url)}/v1`;
}

const SAMPLES: Readonly<Record<Language, (endpoint: Endpoint) => string>> = {
  curl: endpoint => {
    const body = JSON.stringify({ model: endpoint.slug, messages: [{ role: 'user', content: QUESTION }] });
    return [
      `curl ${operationUrl(endpoint)}`,
      ...(needsKey(endpoint) ? [`  -H "Authorization: Bearer ${KEY}"`] : []),
      '  -H "Content-Type: application/json"',
      `  -d '${body}'`,
    ].join(' \\\n');
  },
  python: endpoint => `from openai import OpenAI

client = OpenAI(
    base_url="${libraryBaseUrl(endpoint)}",
    api_key="${keyOf(endpoint)}",
)

completion = client.chat.completions.create(
    model="${endpoint.slug}",
    messages=[{"role": "user", "content": "${QUESTION}"}],
)
print(completion.choices[0].message.content)`,
  javascript: endpoint => `import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: '${libraryBaseUrl(endpoint)}',
  apiKey: '${keyOf(endpoint)}',
});

const completion = await client.chat.completions.create({
  model: '${endpoint.slug}',
  messages: [{ role: 'user', content: '${QUESTION}' }],
});
console.log(completion.choices[0].message.content);`,
};

/** The sample for a language, following the deployment's current settings. */
export function quickStart(language: Language, endpoint: Endpoint): string {
  return SAMPLES[language](endpoint);
}

function needsKey({ authMode }: Endpoint): boolean {
  return authMode === 'fixed_api_key';
}

function keyOf(endpoint: Endpoint): string {
  return needsKey(endpoint) ? KEY : NO_KEY;
}

function trimSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
