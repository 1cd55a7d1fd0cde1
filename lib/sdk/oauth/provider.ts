// Talks to an identity provider and explains its errors. Only this file loads openid-client, and only to sign in, sign
// out or renew a token.
import type { Configuration } from 'openid-client';
import { assertSecureUrl } from '../../client/index.js';
import { ApiError, isLoopbackHost } from '../../contract/index.js';

type Oidc = typeof import('openid-client');

export interface Provider {
  oidc: Oidc;
  config: Configuration;
  issuer: string;
  /** What every sign-in asks for. */
  request: { scope?: string; prompt: string };
  /** Runs a call to the provider and explains its failures. */
  ask<T>(call: () => Promise<T>): Promise<T>;
}

interface ProviderAddress {
  issuer: string;
  clientId: string;
}

const ANSWER_S = 10;

/** Reads the provider's metadata, which must name the same issuer. */
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
  const scope = chooseScope(config.serverMetadata().scopes_supported);
  // Without consent, a provider need not issue a refresh token.
  return { oidc, config, issuer, ask, request: { ...(scope !== '' && { scope }), prompt: 'consent' } };
}

/** The scopes we want (identity and a refresh token) that the provider supports. @internal */
export function chooseScope(known: readonly string[] | undefined): string {
  const wanted = ['openid', 'email', 'offline_access'];
  return (known ? wanted.filter(scope => known.includes(scope)) : wanted).join(' ');
}

/** The audience of the access token, in the standard parameter and in the older one of some providers. */
export function audienceParameters(audience: string | undefined): Record<string, string> {
  if (audience === undefined) return {};
  return { audience, ...(URL.canParse(audience) && { resource: audience }) };
}

/** If one kind of metadata is missing, tries the other. If both fail, reports the first error. */
async function otherwise<T>(error: unknown, next: () => Promise<T>): Promise<T> {
  if (isSilence(error)) throw error;
  return next().catch(() => {
    throw error;
  });
}

/** Returns the URL if tokens and users may be sent there. `what` describes it in the error. */
export function secureAddress(address: string, what: string): string {
  try {
    return assertSecureUrl(address);
  } catch (cause) {
    const message = `"${address}" cannot be used as ${what}: it must start with https://, or http:// on this machine.`;
    throw new ApiError('invalid_value', message, { param: 'issuer', cause });
  }
}

function explain(error: unknown, issuer: string, oidc: Oidc): unknown {
  if (error instanceof ApiError) return error;
  if (error instanceof oidc.ResponseBodyError) return refused(error.error, error.error_description, issuer);
  if (error instanceof oidc.AuthorizationResponseError)
    return refused(error.error, error.error_description, issuer);
  if (isTransport(error)) {
    const message = `Cannot reach the identity provider at ${issuer}. Check that it is running and try again.`;
    return new ApiError('issuer_unreachable', message, { cause: error });
  }
  return new ApiError('unexpected_response', notBelieved(error, issuer), { cause: error });
}

function notBelieved(error: unknown, issuer: string): string {
  const { message, cause } = error as Error;
  if (cause instanceof Response)
    return `${issuer} does not respond like an identity provider (status ${cause.status}). Check the cloud's --oauth-issuer.`;
  // The message from openid-client is generic; its cause is specific.
  const reason = cause instanceof Error ? cause.message : (message ?? String(error));
  return `Rejected the response of the identity provider at ${issuer}: ${reason}.`;
}

/** No response, or a timeout. */
function isSilence(error: unknown): boolean {
  const { name, code, cause } = error as { name?: string; code?: string; cause?: unknown };
  if (name === 'TimeoutError' || code === 'OAUTH_TIMEOUT') return true;
  return error instanceof TypeError && cause !== undefined;
}

/** No response, or a server error. */
function isTransport(error: unknown): boolean {
  const { cause } = error as { cause?: { status?: number } };
  return isSilence(error) || (typeof cause?.status === 'number' && cause.status >= 500);
}

export function codeExpired(): ApiError {
  return new ApiError('unauthenticated', 'The code expired. Run `svc login --device` to get a new one.');
}

/** Protocol errors that are normal outcomes, with what to do next. */
const ENDS: Readonly<Record<string, (issuer: string) => ApiError>> = {
  invalid_grant: issuer =>
    new ApiError(
      'unauthenticated',
      `${issuer} rejected the sign-in code, which may have expired. Run \`svc login\` to try again.`,
    ),
  expired_token: codeExpired,
  access_denied: issuer =>
    new ApiError('unauthenticated', `Sign-in at ${issuer} was denied. Run \`svc login\` to try again.`),
};

function refused(error: string, description: string | undefined, issuer: string): ApiError {
  const end = ENDS[error];
  if (end) return end(issuer);
  const what = description ? `${error}, ${description}` : error;
  return new ApiError('unexpected_response', `The identity provider at ${issuer} answered with ${what}.`);
}
