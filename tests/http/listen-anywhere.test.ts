// Listening on a given host, with or without TLS.
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { type ListenOptions, listen, PortTakenError } from '../../lib/http/index.js';
import { createCertificate } from '../engine/train/data/certificate.js';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

const app = { fetch: (request: Request) => new Response(`${request.url} ${request.headers.get('host')}`) };
const tls = createCertificate('localhost');

async function start(options: Partial<ListenOptions>) {
  const listening = await listen(app, { host: 'localhost', ports: [0], ...options });
  open.push(listening);
  return listening;
}

async function get(url: string, ca?: string): Promise<string> {
  const send = ca ? httpsRequest : httpRequest;
  const request = send(url, { ...(ca && { ca }), servername: 'localhost' } as object).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return text(response);
}

describe('listening', () => {
  it('with TLS answers https on both loopback addresses', async () => {
    const { url, port, addresses } = await start({ tls });
    expect(url).toBe(`https://localhost:${port}`);
    expect(addresses).toEqual(['127.0.0.1', '::1']);
    for (const host of ['127.0.0.1', '[::1]']) {
      const at = `https://${host}:${port}/x`;
      expect(await get(at, tls.cert)).toBe(`${at} ${host}:${port}`);
    }
    await expect(get(`http://127.0.0.1:${port}/x`)).rejects.toThrow();
  });

  it.each(['0.0.0.0', '::'])('on every interface has a localhost URL: %s', async host => {
    const { url, port, addresses } = await start({ host });
    expect({ url, addresses }).toEqual({ url: `http://localhost:${port}`, addresses: [host] });
    expect(await get(`http://127.0.0.1:${port}/`)).toContain(`127.0.0.1:${port}`);
  });

  it('on one address does not listen on others', async () => {
    const { url, port } = await start({ host: '127.0.0.1' });
    expect(url).toBe(`http://127.0.0.1:${port}`);
    await expect(get(`http://[::1]:${port}/`)).rejects.toThrow('ECONNREFUSED');
    expect((await start({ host: '::1', tls })).url).toMatch(/^https:\/\/\[::1\]:\d+$/);
  });

  it('on localhost without TLS uses both loopback addresses', async () => {
    expect((await start({})).addresses).toEqual(['127.0.0.1', '::1']);
  });

  it.each([undefined, tls])(
    'tries the next port if one is taken, and throws if none is left',
    async given => {
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      open.push(taken);
      const { port } = taken.address() as AddressInfo;
      for (const host of ['127.0.0.1', 'localhost']) {
        expect((await start({ host, tls: given, ports: [port, 0] })).port).not.toBe(port);
        await expect(start({ host, tls: given, ports: [port] })).rejects.toThrow(new PortTakenError([port]));
      }
    },
  );

  it('releases the IPv4 port when the IPv6 one is taken', async () => {
    const taken = createServer().listen({ port: 0, host: '::1', ipv6Only: true });
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    await expect(start({ tls, ports: [port] })).rejects.toThrow(PortTakenError);
    await new Promise(resolve => taken.close(resolve));
    expect((await start({ tls, ports: [port] })).port).toBe(port);
  });

  it('refuses a foreign address and an invalid certificate', async () => {
    await expect(start({ host: '203.0.113.1' })).rejects.toThrow(
      '203.0.113.1 is not an address on this machine.',
    );
    await expect(start({ tls: { cert: 'x', key: 'y' } })).rejects.toThrow();
  });
});
