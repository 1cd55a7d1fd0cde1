// A token goes over https, or stays on this machine.

/** The address when a token may be sent there; otherwise an error that says what to do. */
export function assertSecureUrl(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.username || url?.password)
    throw new TypeError("A cloud's address must not carry a name or password.");
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname)))
    return address;
  throw new TypeError(
    `"${address}" cannot be a cloud's address: it must begin with https://, or with http:// on this machine.`,
  );
}

/** True for the names and addresses that never leave the machine. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}
