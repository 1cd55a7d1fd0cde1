// An identity provider as we talk to it, and what went wrong there in our own words. openid-client is loaded here alone,
// when somebody signs in or a token is renewed.
import type { Configuration } from 'openid-client';
import { assertSecureUrl, isLoopbackHost } from '../../client/index.js';
import { ApiError } from '../../contract/index.js';

export type Oidc = typeof import('openid-client');

export interface Provider {
  oidc: Oidc;
  config: Configuration;
  issuer: string;
  /** Runs a call to it, and explains its failures. */
  ask<T>(call: () => Promise<T>): Promise<T>;
}

export interface ProviderAddress {
  issuer: string;
  clientId: string;
}

const ANSWER_S = 10;

/** Reads what the provider says of itself, which must be the one that is asked. */
export async function openProvider({ issuer, clientId }: ProviderAddress): Promise<Provider> {
  const server = new URL(secureAddress(issuer, 'an identity provider'));
  const oidc = await import('openid-client');
  const execute = isLoopbackHost(server.hostname) ? [oidc.allowInsecureRequests] : [];
  const ask = async <T>(call: () => Promise<T>) => {
    try {
      return await call();
    } catch (error) {
      throw explain(error, issuer, oidc);
    }
  };
  const discover = (algorithm: 'oidc' | 'oauth2') =>
    oidc.discovery(server, clientId, undefined, oidc.None(), { algorithm, execute, timeout: ANSWER_S });
  const config = await ask(() => discover('oidc').catch(error => otherwise(error, () => discover('oauth2'))));
  return { oidc, config, issuer, ask };
}

/** Scopes that it knows of those that we would like: who one is, and a token that can be renewed. */
export function chooseScope(known: readonly string[] | undefined): string {
  const wanted = ['openid', 'email', 'offline_access'];
  return (known ? wanted.filter(scope => known.includes(scope)) : wanted).join(' ');
}

/** What the access token is to be for, in the words of the standard and in those of providers that came before it. */
export function audienceParameters(audience: string | undefined): Record<string, string> {
  if (audience === undefined) return {};
  return { audience, ...(URL.canParse(audience) && { resource: audience }) };
}

/** Where one kind of metadata is not there, the other may be. What is wrong with the first is told. */
async function otherwise<T>(error: unknown, next: () => Promise<T>): Promise<T> {
  if (isSilence(error)) throw error;
  return next().catch(() => {
    throw error;
  });
}

/** The address, when tokens and people may be sent there; `what` it is to be, for the error. */
export function secureAddress(address: string, what: string): string {
  try {
    return assertSecureUrl(address);
  } catch (cause) {
    const message = `"${address}" cannot be ${what}: it must begin with https://, or with http:// on this machine.`;
    throw new ApiError('invalid_value', message, { param: 'issuer', cause });
  }
}

function explain(error: unknown, issuer: string, oidc: Oidc): unknown {
  if (error instanceof ApiError) return error;
  if (error instanceof oidc.ResponseBodyError) return refused(error.error, error.error_description, issuer);
  if (error instanceof oidc.AuthorizationResponseError)
    return refused(error.error, error.error_description, issuer);
  if (isTransport(error)) {
    const message = `The identity provider at ${issuer} cannot be reached. Check that it runs, and try again.`;
    return new ApiError('issuer_unreachable', message, { cause: error });
  }
  return new ApiError('unexpected_response', notBelieved(error, issuer), { cause: error });
}

function notBelieved(error: unknown, issuer: string): string {
  const { message, cause } = error as Error;
  if (cause instanceof Response)
    return `What is at ${issuer} does not answer as an identity provider does (status ${cause.status}). Is that the address? The cloud was given it as --oauth-issuer.`;
  // What openid-client says itself is general, and its cause is not.
  const reason = cause instanceof Error ? cause.message : (message ?? String(error));
  return `The identity provider at ${issuer} is not believed: ${reason}.`;
}

/** Nobody answered, or not in time. */
function isSilence(error: unknown): boolean {
  const { name, code, cause } = error as { name?: string; code?: string; cause?: unknown };
  if (name === 'TimeoutError' || code === 'OAUTH_TIMEOUT') return true;
  return error instanceof TypeError && cause !== undefined;
}

/** Silence, and answers that a server gives which is not well. */
function isTransport(error: unknown): boolean {
  const { cause } = error as { cause?: { status?: number } };
  return isSilence(error) || (typeof cause?.status === 'number' && cause.status >= 500);
}

export function codeExpired(): ApiError {
  return new ApiError(
    'unauthenticated',
    'The code was not entered in time. To get another one: `svc login --device`.',
  );
}

/** Errors of the protocol that are no faults, by what to do about them. */
const ENDS: Readonly<Record<string, (issuer: string) => ApiError>> = {
  invalid_grant: issuer =>
    new ApiError(
      'unauthenticated',
      `${issuer} did not take the code of this sign-in, which may be too old. To try again: \`svc login\`.`,
    ),
  expired_token: codeExpired,
  access_denied: issuer =>
    new ApiError('unauthenticated', `Signing in at ${issuer} was refused. To try again: \`svc login\`.`),
};

function refused(error: string, description: string | undefined, issuer: string): ApiError {
  const end = ENDS[error];
  if (end) return end(issuer);
  const what = description ? `${error}, ${description}` : error;
  return new ApiError('unexpected_response', `The identity provider at ${issuer} answered with ${what}.`);
}
