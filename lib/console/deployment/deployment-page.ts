// The texts of an endpoint's page, shared by both faces: quick-start samples that run as pasted once the key
// is filled in, the endpoint's optional features, and the questions asked before it is made public or stops
// working for callers.
import { DEFAULT_OPERATION, type Deployment, type Key } from '../../contract/index.js';
import { followLabel, targetLabel } from '../labels.js';
import { taskText } from '../task-text.js';
import { formatLocalTime } from '../text/format.js';

export const LANGUAGES = [
  { value: 'curl', label: 'cURL' },
  { value: 'python', label: 'Python' },
  { value: 'javascript', label: 'JavaScript' },
] as const;

export type Language = (typeof LANGUAGES)[number]['value'];

export const OPERATIONS = ['POST /v1/chat/completions'] as const;

/** Client libraries reject an empty key, so this stands in if none is needed. */
const NO_KEY = 'not-required';
const KEY = '<API_KEY>';
const QUESTION = 'Hello!';

type CallableDeployment = Pick<Deployment, 'slug' | 'url' | 'pathUrl' | 'authMode'>;

/** The full URL of the operation, to show and copy. */
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

/** The code sample for a language, with the deployment's current settings. Never contains a real key. */
export function quickStart(language: Language, deployment: CallableDeployment): string {
  return SAMPLES[language](deployment);
}

/** A complete cURL call with this key, or without an authorization header. */
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

interface OfferRow {
  readonly label: 'Task' | 'Operations' | 'CORS' | 'Follows' | 'Before';
  readonly values: readonly string[];
}

/** How many earlier targets are shown. */
const SHOWN_EARLIER = 3;

/**
 * An endpoint's optional features: the task of its model, operations besides chat, allowed web origins, what it follows, and its
 * earlier targets. Empty if there are none. `timeText` formats an ISO time.
 */
export function offerRows(
  {
    operations,
    corsOrigins,
    follows,
    earlierTargets = [],
    task,
  }: Pick<Deployment, 'operations' | 'corsOrigins' | 'follows' | 'earlierTargets' | 'task'>,
  timeText: (iso: string) => string = formatLocalTime,
): OfferRow[] {
  const earlierText = ({ target, since }: (typeof earlierTargets)[number]) =>
    `${targetLabel(target)} since ${timeText(since)}`;
  const isDefault = operations.every(name => name === DEFAULT_OPERATION);
  return [
    ...(task ? [{ label: 'Task', values: [taskText(task)] } as const] : []),
    ...(isDefault ? [] : [{ label: 'Operations', values: operations } as const]),
    ...(corsOrigins.length === 0 ? [] : [{ label: 'CORS', values: corsOrigins } as const]),
    ...(follows ? [{ label: 'Follows', values: [followLabel(follows)] } as const] : []),
    ...(earlierTargets.length === 0
      ? []
      : [{ label: 'Before', values: earlierTargets.slice(0, SHOWN_EARLIER).map(earlierText) } as const]),
  ];
}

export const GATE_CHOICES = ['not required', 'required'] as const;

interface GateSetting {
  readonly isRequired: boolean;
  readonly choice: (typeof GATE_CHOICES)[number];
  readonly text: string;
}

/** Whether it moves by itself to untested adapters. Null for older clouds, which cannot require it. */
export function gateSetting({
  requireGate,
  follows,
}: Pick<Deployment, 'requireGate' | 'follows'>): GateSetting | null {
  if (requireGate === undefined) return null;
  const rule = requireGate ? 'only to what has passed svc ship' : 'to whatever is newest or best';
  return {
    isRequired: requireGate,
    choice: GATE_CHOICES[Number(requireGate) as 0 | 1],
    text: follows ? `It moves ${rule}.` : `Once it follows something, it moves ${rule}.`,
  };
}

export interface Question {
  title: string;
  consequence: string;
  /** The label of the confirm button. */
  action: string;
}

export function disableQuestion({ slug }: Pick<Deployment, 'slug'>): Question {
  return { title: `Disable ${slug}?`, consequence: 'Calls to it will get 404.', action: 'Disable' };
}

export function publicQuestion({ slug }: Pick<Deployment, 'slug'>): Question {
  return {
    title: `Make ${slug} public?`,
    consequence: 'With none, anyone with the URL can call it.',
    action: 'Make public',
  };
}

export function revokeQuestion({ label }: Pick<Key, 'label'>): Question {
  return {
    title: `Revoke key ${label}?`,
    consequence: 'Calls that use it will be rejected.',
    action: 'Revoke',
  };
}

/** The question on one line. */
export function questionText({ title, consequence }: Question): string {
  return `${title} ${consequence}`;
}
