// The check can fail: it sees a program that connects and writes where it should not.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findBreaches } from './verdict.js';
import { type Watched, watchProgram, whyNotWatched } from './watch.js';

const reason = whyNotWatched();

let folder: string;
beforeEach(async () => {
  // On a disk: where files are in memory, the watched program may write.
  folder = await mkdtemp('/var/tmp/svc-watch-');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function watch(program: string): Promise<Watched> {
  const place = await mkdtemp(join(folder, 'place-'));
  const file = join(folder, 'program.mjs');
  await writeFile(file, program);
  return watchProgram(place, [process.execPath, file]);
}

describe.skipIf(reason)(`a watched program${reason ? ` (not here: ${reason})` : ''}`, () => {
  it('is seen when it looks up, connects, sends and writes', async () => {
    const watched = await watch(`
      import { createSocket } from 'node:dgram';
      import { lookup, Resolver } from 'node:dns/promises';
      import { writeFileSync } from 'node:fs';
      import { connect } from 'node:net';
      await lookup('by-the-system.test');
      await new Resolver().resolve6('by-itself.test').catch(() => {});
      fetch('http://collector.test/').catch(() => {});
      connect(443, '2001:db8:1::1').on('error', () => {});
      const socket = createSocket('udp4');
      await new Promise(resolve => socket.send('x', 9999, '198.51.100.7', resolve));
      socket.close();
      writeFileSync(process.env.HOME + '/device-id', 'x');
      writeFileSync(process.env.TMPDIR + '/left', 'x');
      // Long enough for the recorder to look.
      setTimeout(() => process.exit(3), 300);
    `);
    const targets = ({ lookups, connections }: Watched) =>
      [...lookups, ...connections].map(({ target }) => target).sort();
    expect(targets(watched)).toEqual([
      '192.0.2.1 port 80 (tcp)',
      '2001:db8:1::1 port 443 (tcp)',
      'by-itself.test',
      'by-the-system.test',
      'collector.test',
    ]);
    expect(watched.lookups[0]!.process).toBe(`${process.execPath} ${join(folder, 'program.mjs')}`);
    // Two connections, and a datagram from a socket that closed at once.
    expect(watched.packets).toBeGreaterThanOrEqual(3);
    expect(watched).toMatchObject({ exitCode: 3, home: ['device-id'], tmp: ['left'], writable: [] });
  });

  it('cannot write elsewhere, and may do what it likes on loopback', async () => {
    const watched = await watch(`
      import { writeFileSync } from 'node:fs';
      import { createServer } from 'node:http';
      const server = createServer((_, response) => response.end('here'));
      await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
      await (await fetch('http://127.0.0.1:' + server.address().port)).text();
      for (const path of [${JSON.stringify(join(folder, 'stray'))}, '/var/tmp/svc-stray'])
        try {
          writeFileSync(path, 'x');
          process.exitCode = 1;
        } catch (error) {
          if (error.code !== 'EROFS') throw error;
        }
      server.close();
      server.closeAllConnections();
    `);
    expect(findBreaches(watched)).toEqual([]);
  });
});

describe('the verdict', () => {
  const quiet: Watched = {
    exitCode: 0,
    lookups: [],
    connections: [],
    packets: 0,
    writable: [],
    home: ['.svc/cloud/cloud.db'],
    tmp: [],
  };

  it('passes a program that keeps to itself', () => {
    expect(findBreaches(quiet)).toEqual([]);
  });

  it('names each breach and its process', () => {
    const attempt = { target: 'collector.test', process: 'node worker.js' };
    const found = findBreaches({ ...quiet, lookups: [attempt], home: ['.cache/id', '.svc/a'], tmp: ['log'] });
    expect(found).toEqual([
      'Looked up collector.test, by node worker.js',
      'Wrote ~/.cache/id',
      'Left log in the temporary folder',
    ]);
    expect(findBreaches({ ...quiet, packets: 2, exitCode: 1, writable: ['/srv'] })).toHaveLength(3);
  });
});
