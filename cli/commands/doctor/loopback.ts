// Which loopback addresses work: Studio and the cloud listen on both and need the first.
import type { Check } from './check.js';
import { tryListen } from './listen.js';

export const loopbackHosts = ['127.0.0.1', '::1'];

export async function checkLoopback(listen = tryListen): Promise<Check> {
  const name = 'loopback';
  const [ipv4, ipv6] = await Promise.all(loopbackHosts.map(host => listen(host, 0)));
  if (ipv4)
    return {
      name,
      status: 'problem',
      message: `cannot listen on 127.0.0.1 (${ipv4})`,
      hint: 'Bring up the loopback interface; Studio and the local cloud listen only there.',
    };
  if (ipv6)
    return {
      name,
      status: 'warning',
      message: `127.0.0.1 works, ::1 does not (${ipv6})`,
      hint: 'If "localhost" is slow or refused, use 127.0.0.1 instead.',
    };
  return { name, status: 'ok', message: '127.0.0.1 and ::1', hint: null };
}
