// Which loopback families work: Studio and the cloud listen on both, and need the first.
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
      message: `nothing can listen on 127.0.0.1 (${ipv4})`,
      hint: 'Bring the loopback interface up: Studio and the local cloud listen nowhere else.',
    };
  if (ipv6)
    return {
      name,
      status: 'warning',
      message: `127.0.0.1 works, ::1 does not (${ipv6})`,
      hint: 'Where "localhost" is slow or refused, write 127.0.0.1 instead.',
    };
  return { name, status: 'ok', message: '127.0.0.1 and ::1', hint: null };
}
