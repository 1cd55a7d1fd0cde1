import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CacheError } from '../../../../lib/engine/train/data/cache-folder.js';
import { DatasetError, openDataset } from '../../../../lib/engine/train/data/index.js';
import { type BlobLimits, openBlob } from '../../../../lib/engine/train/data/open-blob.js';
import { isLoopbackAddress, isPrivateAddress } from '../../../../lib/engine/train/data/pinned-request.js';
import { createVirtualClock } from '../../../support/virtual-clock.js';
import { createCertificate } from './certificate.js';
import { faultOf, readAll, rowsOf, temporaryFolder } from './dataset-files.js';
import { startServer, type WebServer } from './web-server.js';

const token = 'tok-3cr3t';
const secretQuery = '?sig=s1gn3d';
const rows = '{"text":"a"}\n{"text":"b"}\n';
const addresses = (...list: string[]) => list.map(address => ({ address, family: 4 }));
const local = addresses('127.0.0.1');

/** Responds by path: `/to/<address>` redirects there, `/<status>` fails with it, and everything else returns rows. */
const server = await startServer((request, response) => {
  const [, word = '', rest = ''] = /^\/([^/?]*)\/?(.*)$/.exec(request.url!)!;
  if (word === 'to') response.writeHead(302, { location: decodeURIComponent(rest) }).end();
  else if (word === 'loop') response.writeHead(307, { location: `/loop/${Number(rest) - 1}` }).end();
  else if (/^[45]\d\d$/.test(word)) response.writeHead(Number(word)).end(`the server says ${token}`);
  else if (word === 'nowhere') response.writeHead(302).end();
  else if (word === 'cut')
    response.writeHead(200, { 'content-length': '999' }).write(rows, () => response.destroy());
  else if (word === 'typed')
    response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' }).end('text\nt\n');
  else response.end(rows);
});
const other = await startServer((_, response) => response.end(rows));
/** Says nothing, or not all. Of requests to it that end early it may learn in a later test. */
const slow = await startServer((request, response) => {
  if (request.url === '/stalling') response.write(rows);
});

const cacheFolder = temporaryFolder();
const near = { cacheFolder, allowPrivateAddresses: true };
const open = (url: string, limits: BlobLimits = {}, options: Parameters<typeof openBlob>[1] = near) =>
  openBlob({ type: 'blob', url, token }, options, limits);
const at = (path: string) => `${server.url}/${path}`;
const to = (url: string) => at(`to/${encodeURIComponent(url)}`);
/** The headers of the last request. */
const lastOf = ({ requests }: WebServer) => requests.at(-1)?.headers;

/** The error's message, after checking that no part of the error contains a secret. */
async function fault(...parameters: Parameters<typeof open>): Promise<string> {
  const error = await open(...parameters).catch(thrown => thrown);
  const everything = [error.message, error.stack, JSON.stringify([error, error.cause ?? ''])].join();
  for (const secret of [token, 's1gn3d']) expect(everything).not.toContain(secret);
  return faultOf(Promise.reject(error));
}

describe('data at a URL', () => {
  it('is downloaded and read, with the token', async () => {
    const dataset = await openDataset({ type: 'blob', url: at(`rows.jsonl${secretQuery}`), token }, near);
    expect(dataset.fileName).toBe('rows.jsonl');
    expect(await rowsOf(dataset)).toHaveLength(2);
    const host = `127.0.0.1:${server.port}`;
    expect(lastOf(server)).toMatchObject({ authorization: `Bearer ${token}`, host });
  });

  it('detects the format by its name, the redirected name or the content type', async () => {
    const name = async (url: string) => (await open(url)).name;
    expect(await name(at('a%20b.jsonl?x=.csv'))).toBe('a b.jsonl');
    expect(await name(to('/final.jsonl?sig=1'))).toBe('final.jsonl');
    const typed = await open(at('typed'));
    expect(await readAll({ type: 'file', path: typed.path, fileName: typed.name })).toHaveLength(1);
  });

  it('verifies the host name over TLS, not the address', async () => {
    const certificate = createCertificate('data.example');
    const secure = await startServer((_, response) => response.end(rows), certificate);
    const resolve = async () => local;
    const limits = { resolve, ca: certificate.cert };
    const url = (name: string) => `https://${name}.example:${secure.port}/rows.jsonl`;
    expect(await open(url('data'), limits)).toMatchObject({ name: 'rows.jsonl' });
    expect(lastOf(secure)).toMatchObject({ host: `data.example:${secure.port}` });
    expect(await fault(url('other'), limits)).toMatch('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(await fault(url('data'), { resolve })).toMatch('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(secure.requests).toHaveLength(1);
  });
});

describe('the token', () => {
  it('stays with its host, even if redirects lead back', async () => {
    await open(to('/rows.jsonl'));
    expect(lastOf(server)?.authorization).toBe(`Bearer ${token}`);
    await open(to(`${other.url}/rows.jsonl`));
    expect(lastOf(other)).not.toHaveProperty('authorization');
    const back = await startServer((_, response) =>
      response.writeHead(302, { location: at('rows.jsonl') }).end(),
    );
    await open(to(back.url));
    expect(server.requests.at(-1)?.url).toBe('/rows.jsonl');
    expect(lastOf(server)).not.toHaveProperty('authorization');
  });

  it('is rejected if it cannot be sent or is part of the URL', async () => {
    const source = { type: 'blob', url: at('a'), token: 'a\r\nb' } as const;
    expect(await faultOf(openBlob(source, { cacheFolder }))).toMatch(/^a: its token contains/);
    const inUrl = await fault(`http://user:${token}@127.0.0.1:${server.port}/rows.jsonl`);
    expect(inUrl).toMatch('use a token instead');
  });
});

describe('private addresses', () => {
  const refused = /is on this machine or a private network/;
  const hosts = [
    '127.0.0.1',
    'localhost',
    '127.1',
    '0x7f000001',
    '2130706433',
    '[::1]',
    '[::ffff:127.0.0.1]',
  ];

  it.each([...hosts, '0.0.0.0'])('are not requested unless allowed: %s', async host => {
    const before = server.requests.length;
    for (const scheme of ['https', 'http'])
      expect(await fault(`${scheme}://${host}:${server.port}/rows.jsonl`, {}, { cacheFolder })).toMatch(
        refused,
      );
    expect(server.requests).toHaveLength(before);
  });

  it('are not requested if a name has one among others', async () => {
    const resolve = async () => addresses('8.8.8.8', '10.0.0.1');
    expect(await fault('https://data.example/rows.jsonl', { resolve }, { cacheFolder })).toMatch(refused);
  });

  it('are not requested after a redirect', async () => {
    const answers = [local, addresses('169.254.169.254')];
    const resolve = async () => answers.shift()!;
    const url = `http://data.example:${server.port}/to/http%3A%2F%2Fmeta.example%2F`;
    const message = 'meta.example: the URL on meta.example uses http; only https URLs are supported';
    expect(await fault(url, { resolve })).toBe(message);
    expect(answers).toEqual([]);
  });

  it('are not reached by DNS rebinding', async () => {
    const asked: string[] = [];
    const resolve = async (host: string) => (asked.push(host) === 1 ? local : addresses('10.0.0.1'));
    await open(`http://data.example:${server.port}/rows.jsonl`, { resolve });
    expect(asked).toEqual(['data.example']);
    expect(lastOf(server)?.host).toBe(`data.example:${server.port}`);
  });

  it.each(['192.168.0.1', '8.8.8.8'])('are requested over http only on this machine: %s', async address => {
    const resolve = async () => addresses(address);
    expect(await fault('http://data.example/rows.jsonl', { resolve })).toMatch(
      'only https URLs are supported',
    );
  });
});

describe('a download fails', () => {
  it('after five redirects, or one to nowhere', async () => {
    const before = server.requests.length;
    expect(await fault(at('loop/9'))).toBe('9: it redirects more than 5 times');
    expect(server.requests.length - before).toBe(6);
    expect(await fault(at('nowhere'))).toBe('nowhere: 127.0.0.1 redirects to an invalid URL');
    expect(await fault(to('ftp://127.0.0.1/'))).toMatch('only https URLs are supported');
  });

  it.each([
    [401, 'token'],
    [403, 'token'],
    [404, 'check the url'],
    [500, ''],
  ])('when the server answers %i, and says what to do', async (status, advice) => {
    expect(await fault(at(`${status}${secretQuery}`))).toMatch(
      new RegExp(`^${status}: 127.0.0.1 answered ${status}.*${advice}`),
    );
  });

  it('when it is too large, whether the length was announced or not', async () => {
    const fits = await open(at('rows.jsonl'), { maxBytes: rows.length });
    expect(await readAll({ type: 'file', path: fits.path, fileName: fits.name })).toHaveLength(2);
    const message = await fault(at('rows.jsonl'), { maxBytes: rows.length - 1 });
    expect(message).toBe('rows.jsonl: larger than 25 bytes, which is the limit');
    expect(await fault(`${slow.url}/stalling`, { maxBytes: 3 })).toMatch('larger than 3 bytes');
  });

  it('when no data arrives for too long or the whole takes too long', async () => {
    for (const path of ['silent', 'stalling'])
      expect(await fault(`${slow.url}/${path}`, { idleTimeout: 50 })).toBe(
        `${path}: 127.0.0.1 did not answer in time`,
      );
    const clock = createVirtualClock();
    const failed = fault(`${slow.url}/stalling`, { clock });
    await clock.pass(3_599_999);
    expect(clock.waiting).toBe(1);
    await clock.pass(1);
    expect(await failed).toBe('stalling: the download took too long');
  });

  it('when the connection fails or ends early, and stores nothing', async () => {
    const folder = temporaryFolder();
    const cut = await fault(at('cut'), {}, { ...near, cacheFolder: folder });
    expect(cut).toBe('cut: cannot be downloaded from 127.0.0.1 (ECONNRESET)');
    expect(readdirSync(folder)).toEqual([]);
    expect(await fault('http://127.0.0.1:1/rows.jsonl')).toMatch('ECONNREFUSED');
  });

  it('when it cannot be stored, without blaming the data', async () => {
    const taken = (await open(at('rows.jsonl'))).path;
    const opening = open(at('rows.jsonl'), {}, { ...near, cacheFolder: join(taken, 'cache') });
    await expect(opening).rejects.toThrow(CacheError);
  });

  it('when its signal aborts, with the signal’s reason', async () => {
    const controller = new AbortController();
    const opening = open(`${slow.url}/silent`, {}, { ...near, signal: controller.signal });
    controller.abort(new Error('enough'));
    const error = await opening.catch(thrown => thrown);
    expect(error).not.toBeInstanceOf(DatasetError);
    expect(error.message).toBe('enough');
  });
});

describe('addresses', () => {
  it('are private on this machine, on its network, and in reserved ranges', () => {
    const addresses = `0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.254 127.0.0.1 127.255.0.9
      169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.168.1.1 198.18.0.1 198.19.255.255
      198.51.100.7 203.0.113.9 224.0.0.251 239.255.255.255 240.0.0.1 255.255.255.255
      :: ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:a00:1 ::ffff:169.254.169.254 ::127.0.0.1 64:ff9b::a00:1
      fe80::1 fe80::1%eth0 fc00::1 fd12:3456::1 fec0::1 ff02::1 100::1 2001::1 2001:db8::1 2002:7f00:1::1 3fff::1`;
    expect(addresses.split(/\s+/).filter(address => !isPrivateAddress(address))).toEqual([]);
  });

  it('are public elsewhere', () => {
    const addresses = `1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1
      169.253.255.255 172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0
      223.255.255.255 2606:4700::1111 2001:4860:4860::8888 2a00:1450:4001::1`;
    expect(addresses.split(/\s+/).filter(isPrivateAddress)).toEqual([]);
  });

  it('are loopback on this machine', () => {
    const own = ['127.0.0.1', '127.9.9.9', '::1'];
    expect([...own, '10.0.0.1', '0.0.0.0', '::', 'fe80::1', '::2'].filter(isLoopbackAddress)).toEqual(own);
  });
});
