import type { LookupAddress } from 'node:dns';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { CacheError, DatasetError, openDataset } from '../../../../lib/engine/train/data/index.js';
import { type BlobLimits, openBlob } from '../../../../lib/engine/train/data/open-blob.js';
import { createVirtualClock } from '../../../support/virtual-clock.js';
import { createCertificate } from './certificate.js';
import { faultOf, readAll, rowsOf, temporaryFolder } from './dataset-files.js';
import { startServer, type WebServer } from './web-server.js';

const token = 'tok-3cr3t';
const secretQuery = '?sig=s1gn3d';
const rows = '{"text":"a"}\n{"text":"b"}\n';
const local = [{ address: '127.0.0.1', family: 4 }];

/** Responds by path: `/to/<address>` redirects there, `/<status>` fails with it, and everything else returns rows. */
const server = await startServer((request, response) => {
  const [, word = '', rest = ''] = /^\/([^/?]*)\/?(.*)$/.exec(request.url!)!;
  if (word === 'to') response.writeHead(302, { location: decodeURIComponent(rest) }).end();
  else if (word === 'loop') response.writeHead(307, { location: `/loop/${Number(rest) - 1}` }).end();
  else if (/^[45]\d\d$/.test(word)) response.writeHead(Number(word)).end(`the server says ${token}`);
  else if (word === 'nowhere') response.writeHead(302).end();
  else if (word === 'silent') return;
  else if (word === 'stalling') response.write(rows);
  else if (word === 'cut')
    response.writeHead(200, { 'content-length': '999' }).write(rows, () => response.destroy());
  else if (word === 'typed')
    response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' }).end('text\nt\n');
  else response.end(rows);
});
const other = await startServer((_, response) => response.end(rows));

const cacheFolder = temporaryFolder();
const open = (url: string, limits: BlobLimits = {}, allowPrivateAddresses = true) =>
  openBlob({ type: 'blob', url, token }, { cacheFolder, allowPrivateAddresses }, limits);
const to = (url: string) => `${server.url}/to/${encodeURIComponent(url)}`;
/** The last requested URL and its token. */
const lastOf = ({ requests }: WebServer) => requests.at(-1)?.headers;

/** The error's message, after checking that no part of the error contains a secret. */
async function fault(...parameters: Parameters<typeof open>): Promise<string> {
  const error = await open(...parameters).catch(thrown => thrown);
  const everything = [
    error.message,
    error.stack,
    JSON.stringify(error),
    JSON.stringify(error.cause ?? ''),
  ].join();
  for (const secret of [token, 's1gn3d']) expect(everything).not.toContain(secret);
  return faultOf(Promise.reject(error));
}

describe('data at a URL', () => {
  it('is downloaded and read, with the token', async () => {
    const source = { type: 'blob', url: `${server.url}/rows.jsonl${secretQuery}`, token } as const;
    const dataset = await openDataset(source, { cacheFolder, allowPrivateAddresses: true });
    expect(dataset.fileName).toBe('rows.jsonl');
    expect(await rowsOf(dataset)).toHaveLength(2);
    expect(lastOf(server)).toMatchObject({
      authorization: `Bearer ${token}`,
      host: `127.0.0.1:${server.port}`,
    });
  });

  it('detects the format by its name, the redirected name or the content type', async () => {
    const name = async (url: string) => (await open(url)).name;
    expect(await name(`${server.url}/a%20b.jsonl?x=.csv`)).toBe('a b.jsonl');
    expect(await name(to('/final.jsonl?sig=1'))).toBe('final.jsonl');
    const typed = await open(`${server.url}/typed`);
    expect(await readAll({ type: 'file', path: typed.path, fileName: typed.name })).toHaveLength(1);
  });

  it('verifies the host name over TLS, not the address', async () => {
    const certificate = createCertificate('data.example');
    const secure = await startServer((_, response) => response.end(rows), certificate);
    const limits = { resolve: async () => local, ca: certificate.cert };
    expect(await open(`https://data.example:${secure.port}/rows.jsonl`, limits)).toMatchObject({
      name: 'rows.jsonl',
    });
    expect(lastOf(secure)).toMatchObject({ host: `data.example:${secure.port}` });
    expect(await fault(`https://other.example:${secure.port}/rows.jsonl`, limits)).toMatch(
      'ERR_TLS_CERT_ALTNAME_INVALID',
    );
    expect(
      await fault(`https://data.example:${secure.port}/rows.jsonl`, { resolve: limits.resolve }),
    ).toMatch('DEPTH_ZERO_SELF_SIGNED_CERT');
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
      response.writeHead(302, { location: `${server.url}/rows.jsonl` }).end(),
    );
    await open(to(back.url));
    expect(server.requests.at(-1)?.url).toBe('/rows.jsonl');
    expect(lastOf(server)).not.toHaveProperty('authorization');
  });

  it('is rejected if it cannot be sent or is part of the URL', async () => {
    const source = { type: 'blob', url: `${server.url}/a`, token: 'a\r\nb' } as const;
    expect(await faultOf(openBlob(source, { cacheFolder }))).toMatch(/^a: its token contains/);
    expect(await fault(`http://user:${token}@127.0.0.1:${server.port}/rows.jsonl`)).toMatch(
      'use a token instead',
    );
  });
});

describe('private addresses', () => {
  const refused = /is on this machine or a private network/;

  it('are not requested unless allowed, however they are written', async () => {
    const before = server.requests.length;
    const { port } = server;
    for (const host of [
      '127.0.0.1',
      'localhost',
      '127.1',
      '0x7f000001',
      '2130706433',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
    ])
      for (const scheme of ['https', 'http'])
        expect(await fault(`${scheme}://${host}:${port}/rows.jsonl`, {}, false)).toMatch(refused);
    expect(server.requests).toHaveLength(before);
  });

  it('are not requested if a name has one among others', async () => {
    const addresses = [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    expect(await fault('https://data.example/rows.jsonl', { resolve: async () => addresses }, false)).toMatch(
      refused,
    );
  });

  it('are not requested after a redirect', async () => {
    const answers: LookupAddress[][] = [local, [{ address: '169.254.169.254', family: 4 }]];
    const resolve = async () => answers.shift()!;
    const message = await fault(`http://data.example:${server.port}/to/http%3A%2F%2Fmeta.example%2F`, {
      resolve,
    });
    expect(message).toBe('meta.example: the URL on meta.example uses http; only https URLs are supported');
    expect(answers).toEqual([]);
  });

  it('are not reached by DNS rebinding', async () => {
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return asked.length === 1 ? local : [{ address: '10.0.0.1', family: 4 }];
    };
    await open(`http://data.example:${server.port}/rows.jsonl`, { resolve });
    expect(asked).toEqual(['data.example']);
    expect(lastOf(server)?.host).toBe(`data.example:${server.port}`);
  });

  it('are requested over http only on this machine', async () => {
    const near = async () => [{ address: '192.168.0.1', family: 4 }];
    const far = async () => [{ address: '8.8.8.8', family: 4 }];
    for (const resolve of [near, far])
      expect(await fault('http://data.example/rows.jsonl', { resolve })).toMatch(
        'only https URLs are supported',
      );
  });
});

describe('a download fails', () => {
  it('after five redirects, or one to nowhere', async () => {
    const looping = server.requests.length;
    expect(await fault(`${server.url}/loop/9`)).toBe('9: it redirects more than 5 times');
    expect(server.requests.length - looping).toBe(6);
    expect(await fault(`${server.url}/nowhere`)).toBe('nowhere: 127.0.0.1 redirects to an invalid URL');
    expect(await fault(to('ftp://127.0.0.1/'))).toMatch('only https URLs are supported');
  });

  it('when the server refuses, and says what to do', async () => {
    for (const [status, advice] of [
      [401, 'token'],
      [403, 'token'],
      [404, 'check the url'],
      [500, ''],
    ] as const)
      expect(await fault(`${server.url}/${status}${secretQuery}`)).toMatch(
        new RegExp(`^${status}: 127.0.0.1 answered ${status}.*${advice}`),
      );
  });

  it('when it is too large, whether the length was announced or not', async () => {
    const fits = await open(`${server.url}/rows.jsonl`, { maxBytes: rows.length });
    expect(await readAll({ type: 'file', path: fits.path, fileName: fits.name })).toHaveLength(2);
    const message = await fault(`${server.url}/rows.jsonl`, { maxBytes: rows.length - 1 });
    expect(message).toBe('rows.jsonl: larger than 25 bytes, which is the limit');
    expect(await fault(`${server.url}/stalling`, { maxBytes: 3 })).toMatch('larger than 3 bytes');
  });

  it('when no data arrives for too long or the whole takes too long', async () => {
    expect(await fault(`${server.url}/silent`, { idleTimeout: 50 })).toBe(
      'silent: 127.0.0.1 did not answer in time',
    );
    expect(await fault(`${server.url}/stalling`, { idleTimeout: 50 })).toBe(
      'stalling: 127.0.0.1 did not answer in time',
    );
    const clock = createVirtualClock();
    const failed = fault(`${server.url}/stalling`, { clock });
    await clock.pass(3_599_999);
    expect(clock.waiting).toBe(1);
    await clock.pass(1);
    expect(await failed).toBe('stalling: the download took too long');
  });

  it('when the connection fails or ends early, and stores nothing', async () => {
    const folder = temporaryFolder();
    const kept = (path: string) =>
      faultOf(
        openBlob(
          { type: 'blob', url: server.url + path, token },
          { cacheFolder: folder, allowPrivateAddresses: true },
        ),
      );
    expect(await kept('/cut')).toMatch(/^cut: cannot be downloaded from 127.0.0.1 \(ECONNRESET\)$/);
    expect(readdirSync(folder)).toEqual([]);
    expect(await fault('http://127.0.0.1:1/rows.jsonl')).toMatch('ECONNREFUSED');
  });

  it('when it cannot be stored, without blaming the data', async () => {
    const source = { type: 'blob', url: `${server.url}/rows.jsonl` } as const;
    const taken = (await open(source.url)).path;
    const opening = openBlob(source, { cacheFolder: join(taken, 'cache'), allowPrivateAddresses: true });
    await expect(opening).rejects.toThrow(CacheError);
  });

  it('when its signal aborts, with the signal’s reason', async () => {
    const controller = new AbortController();
    const source = { type: 'blob', url: `${server.url}/silent` } as const;
    const opening = openBlob(source, { cacheFolder, allowPrivateAddresses: true, signal: controller.signal });
    controller.abort(new Error('enough'));
    const error = await opening.catch(thrown => thrown);
    expect(error).not.toBeInstanceOf(DatasetError);
    expect(error.message).toBe('enough');
  });
});
