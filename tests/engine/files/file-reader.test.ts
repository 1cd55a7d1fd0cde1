// The process that reads files: its results, and what happens when it dies.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { DatasetError, startFileReader } from '../../../lib/engine/index.js';
import { isAlive } from '../../../lib/sdk/index.js';
import { findChildren, tellsChildren } from '../../support/child-processes.js';
import { until } from '../../support/until.js';
import { untilGone } from '../../support/until-gone.js';

const folder = mkdtempSync(join(tmpdir(), 'svc-files-'));
const reader = startFileReader();
afterAll(() => {
  reader.close();
  rmSync(folder, { recursive: true });
});

function write(name: string, content: string) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return { path, name };
}

const rows = '{"text":"a"}\n{"text":"b"}\n';
const digest = createHash('sha256').update(rows).digest('hex');

describe('an inspected file', () => {
  it('has a digest, a row count and a format', async () => {
    const inspected = await reader.run('inspect', write('rows.jsonl', rows));
    expect(inspected).toEqual({ sha256: digest, rows: 2, format: 'json-lines' });
  });

  it('is rejected with its name, row and reason if it cannot be trained on', async () => {
    const refused = reader.run('inspect', write('bad.jsonl', '{"text":"a"}\n{"text"'));
    await expect(refused).rejects.toBeInstanceOf(DatasetError);
    await expect(refused).rejects.toMatchObject({ file: 'bad.jsonl', row: 2 });
  });

  it('is abandoned with the signal’s reason', async () => {
    const reason = new Error('enough');
    await expect(reader.run('inspect', write('a.jsonl', rows), AbortSignal.abort(reason))).rejects.toBe(
      reason,
    );
    const stop = new AbortController();
    const long = write('long.jsonl', rows.repeat(500_000));
    const given = reader.run('inspect', long, stop.signal);
    stop.abort(reason);
    await expect(given).rejects.toBe(reason);
    expect(await reader.run('inspect', write('a.jsonl', rows))).toMatchObject({ rows: 2 });
  });
});

describe.runIf(tellsChildren)('its process', () => {
  const processes = () => findChildren('file-worker');
  const short = startFileReader({ idleMs: 0 });
  afterEach(() => short.close());

  it('may be killed: another one redoes its work', async () => {
    await reader.run('inspect', write('a.jsonl', rows));
    const [first] = (await processes()) as [number];
    process.kill(first, 'SIGSTOP');
    const work = reader.run('inspect', write('rows.jsonl', rows));
    process.kill(first, 'SIGKILL');
    expect(await work).toMatchObject({ sha256: digest });
    expect((await processes()).filter(isAlive)).not.toContain(first);
  });

  it('exits after a while without work', async () => {
    const [former] = (await processes()) as [number];
    await short.run('inspect', write('a.jsonl', rows));
    await until(async () => (await processes()).filter(pid => pid !== former)).toEqual([]);
  });

  it('exits at once when closed, abandoning its work', async () => {
    const own = startFileReader();
    const before = await processes();
    const work = own.run('inspect', write('long.jsonl', rows.repeat(500_000)));
    const [pid] = (await processes()).filter(found => !before.includes(found)) as [number];
    own.close();
    await expect(work).rejects.toThrow();
    await untilGone(pid);
  });
});
