// What is secret about a job's data: tokens, and the queries of addresses, which often are signatures. It is kept in
// memory until the job has ended, and nowhere else.
import { ApiError, type DatasetSource } from '../../contract/index.js';

/** What a data set is for. */
export type Role = 'training' | 'evaluation';

export type BlobSource = Extract<DatasetSource, { type: 'blob' }>;

/** Sources as they were asked for, where something about them is secret. */
export type JobSecrets = Partial<Record<Role, BlobSource>>;

/** By the ids of jobs. */
export type SecretStore = Map<string, JobSecrets>;

/** The source as it may be stored and shown; `secret` is the whole of it, where that is more. */
export function splitSecret(
  source: DatasetSource,
  param: string,
): { shown: DatasetSource; secret: BlobSource | null } {
  if (source.type !== 'blob') return { shown: source, secret: null };
  const { token, ...rest } = source;
  const url = new URL(source.url);
  if (url.username !== '' || url.password !== '') {
    throw new ApiError('invalid_value', 'The URL contains a user name or password; use `token` instead.', {
      param: `${param}.url`,
    });
  }
  if (url.search === '' && url.hash === '')
    return { shown: rest, secret: token === undefined ? null : source };
  return { shown: { type: 'blob', url: `${url.origin}${url.pathname}` }, secret: source };
}

/** The text without any of the secrets, should one have found its way into it. */
export function withoutSecrets(text: string, secrets: JobSecrets | undefined): string {
  const words = Object.values(secrets ?? {}).flatMap(({ token, url }) => [token, new URL(url).search]);
  return words.reduce<string>((clean, word) => (word ? clean.replaceAll(word, '…') : clean), text);
}
