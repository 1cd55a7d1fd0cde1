// The access token of who is signed in: renewed before it expires, and when the cloud refuses it. A refresh token is good
// for one use, so that of many commands at once one spends it, and the others take what it brought.
import { ApiError, type CloudCredentials } from '../../contract/index.js';
import { changeCredentials, readCredentials, withCredentialsLock } from '../credentials/credentials.js';
import { withEntry } from '../credentials/credentials-changes.js';
import { renewTokens } from '../oauth/renew-tokens.js';
import { expiresSoon, type Signed, sessionEnded } from '../oauth/tokens.js';

export interface AccessTokens {
  /** One that is good for a while yet, as far as we can know. */
  get(): Promise<string>;
  /** Another one than the one that was refused; null when there is none to be had. */
  renew(refused: string): Promise<string | null>;
}

/** Why a provider could not be asked, by where the credentials lie, and until when it is not asked again. */
const away = new Map<string, { until: number; error: ApiError }>();
const AWAY_MS = 5000;

/** `home` and `key` say where its credentials lie. */
export function createAccessTokens(home: string, key: string, now = Date.now): AccessTokens {
  const place = `${home}\n${key}`;

  async function read(): Promise<Signed> {
    const entry = requireSigned(await readCredentials(home, key), key);
    if (entry.ended) throw sessionEnded(entry.issuer);
    return entry;
  }

  async function write(entry: Signed): Promise<void> {
    await changeCredentials(home, file => withEntry(file, key, entry));
  }

  /** Whoever waits for the lock finds what came of it: other tokens, a session that has ended, or nobody there. */
  async function renew(refused: string): Promise<string | null> {
    return withCredentialsLock(home, async () => {
      const entry = await read();
      if (entry.accessToken !== refused) return entry.accessToken;
      if (entry.refreshToken === null) return null;
      const last = away.get(place);
      if (last && now() < last.until) throw last.error;
      try {
        const renewed = { ...entry, ...(await renewTokens(entry, now())) };
        await write(renewed);
        return renewed.accessToken;
      } catch (error) {
        if (isCode(error, 'unauthenticated')) await write({ ...entry, ended: true });
        if (isCode(error, 'issuer_unreachable')) away.set(place, { until: now() + AWAY_MS, error });
        throw error;
      }
    });
  }

  return {
    renew,
    async get() {
      const { accessToken, expiresAt } = await read();
      if (!expiresSoon(expiresAt, now())) return accessToken;
      try {
        return (await renew(accessToken)) ?? accessToken;
      } catch (error) {
        // The old one may yet be taken: whether it is too old is for the cloud to say.
        if (isCode(error, 'issuer_unreachable')) return accessToken;
        throw error;
      }
    },
  };
}

function isCode(error: unknown, code: string): error is ApiError {
  return error instanceof ApiError && error.code === code;
}

function requireSigned(entry: CloudCredentials | null, key: string): Signed {
  if (entry?.mode === 'oauth') return entry;
  throw new ApiError('unauthenticated', `You have signed out of ${key} meanwhile: run \`svc login\`.`);
}
