// Secrets in a job's data sources: tokens, and URL queries, which are often signatures. Kept only in memory, until the job
// has ended.
import { ApiError, type DatasetSource } from '../../contract/index.js';

/** The purpose of a data set. */
export type Role = 'training' | 'evaluation';

export type BlobSource = Extract<DatasetSource, { type: 'blob' }>;

/** Sources that contain a secret, as requested. */
export type JobSecrets = Partial<Record<Role, BlobSource>>;

/** By job ID. */
export type SecretStore = Map<string, JobSecrets>;

/** The source to store and show; `secret` is the complete one, if it differs. */
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
  return { shown: { ...rest, url: `${url.origin}${url.pathname}` }, secret: source };
}

/** Removes all of the secrets from the text. */
export function withoutSecrets(text: string, secrets: JobSecrets | undefined): string {
  const words = Object.values(secrets ?? {}).flatMap(({ token, url }) => [token, new URL(url).search]);
  return words.reduce<string>((clean, word) => (word ? clean.replaceAll(word, '…') : clean), text);
}
