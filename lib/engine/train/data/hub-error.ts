// Turns errors of the Hub into messages that say what to do.
import { type Hub, hubStatusOf } from '../../hub/index.js';
import { CacheError } from './cache-folder.js';
import { codeOf, DatasetError } from './dataset-error.js';

/** Does not repeat the original message, which may contain signed URLs. */
export function toHubError(name: string, hub: Hub, error: unknown): unknown {
  if (error instanceof DatasetError || error instanceof CacheError) return error;
  const status = hubStatusOf(error);
  if (status === undefined) {
    const reason = `the Hub at ${hub.url} cannot be reached or did not answer as expected`;
    return new DatasetError(name, `${reason} (${codeOf(error) ?? 'the connection failed'})`);
  }
  return new DatasetError(
    name,
    describe(status, name, hub) ?? `the Hub at ${hub.url} answered ${status}; try again`,
  );
}

function describe(status: number, name: string, { url, token }: Hub): string | undefined {
  const page = `${url}/datasets/${name}`;
  if (status === 403)
    return `this account has no access to it; accept its conditions at ${page} with the account of HF_TOKEN`;
  if (status === 401 && token !== undefined) return 'the Hub rejects HF_TOKEN; set a valid one';
  if (status === 401)
    return 'the Hub has no public data set with this name; check the name, or set HF_TOKEN if it is private or gated';
  if (status !== 404) return undefined;
  const which = token === undefined ? 'set HF_TOKEN if it is private' : 'make sure that HF_TOKEN has access';
  return `the Hub has no data set with this name; check the name, or ${which}`;
}
