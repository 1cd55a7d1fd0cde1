// Tokens are sent only over https or to this machine.

/** Returns the URL if a token may be sent there; throws an error that says what to do otherwise. */
export function assertSecureUrl(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.username || url?.password)
    throw new TypeError('A cloud URL must not contain a user name or password.');
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname)))
    return address;
  throw new TypeError(
    `"${address}" is not a valid cloud URL: it must start with https://, or http:// on this machine.`,
  );
}

/** True for names and addresses that never leave this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}
