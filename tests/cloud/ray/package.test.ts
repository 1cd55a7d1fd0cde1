// What is sent to a cluster: an archive that other programs read, of exactly what the worker loads.

import { execFile } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { buildPackage } from '../../../lib/cloud/ray/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const LIST = `import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    print(json.dumps({name: archive.read(name).decode() for name in archive.namelist()}))`;

async function makeFolder(files: Record<string, string>): Promise<string> {
  const folder = temporaryFolder('ray-package');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

async function unzip(bytes: Uint8Array): Promise<Record<string, string>> {
  const folder = await makeFolder({});
  await writeFile(join(folder, 'p.zip'), bytes);
  const { stdout } = await promisify(execFile)('python3', ['-c', LIST, join(folder, 'p.zip')]);
  return JSON.parse(stdout);
}

const FILES = {
  'package.json': '{"type":"module"}',
  'ray/svc_ray/__init__.py': '"""Grüße"""',
  'ray/svc_ray/engines/torch.py': 'x = 1\n'.repeat(500),
  'ray/svc_ray/__pycache__/x.pyc': 'no',
  'dist/lib/engine/run-worker.js':
    'import { a } from "../../chunks/a.js";\nimport "node:fs";\nimport ort from "native/sub";\n',
  'dist/lib/engine/serve-worker.js': 'import "../../chunks/c.js";',
  'dist/lib/engine/prompt-thread.js': '',
  'dist/chunks/c.js': '/**\n * @param {import("../src/types.js").Kind} kind\n */\n// import("no-package")\n',
  'dist/chunks/a.js': 'const late = () => import("./b.js");\nexport const a = 1;',
  'dist/chunks/b.js': 'var b = require2("@scope/pure");',
  'dist/chunks/unused.js': '',
  'node_modules/native/package.json': '{"dependencies":{"deep":"1"}}',
  'node_modules/native/bin/linux/x64/a.so.1': 'elf',
  'node_modules/native/bin/win32/x64/a.node': 'no',
  'node_modules/native/index.js': '',
  'node_modules/native/index.js.map': 'no',
  'node_modules/native/node_modules/deep/package.json': '{}',
  'node_modules/native/node_modules/deep/index.js': 'nested',
  'node_modules/@scope/pure/package.json': '{}',
  'node_modules/@scope/pure/index.mjs': '',
  'node_modules/other/package.json': '{}',
};

it('has the Python package, and the engine with what it loads, on Linux', async () => {
  const files = await unzip((await buildPackage(await makeFolder(FILES), true)).bytes);
  const workers = ['prompt-thread', 'run-worker', 'serve-worker'];
  expect(Object.keys(files)).toEqual([
    ...['a', 'b', 'c'].map(name => `svc_node/dist/chunks/${name}.js`),
    ...workers.map(name => `svc_node/dist/lib/engine/${name}.js`),
    ...['index.mjs', 'package.json'].map(name => `svc_node/node_modules/@scope/pure/${name}`),
    ...['index.js', 'package.json'].map(name => `svc_node/node_modules/deep/${name}`),
    ...['bin/linux/x64/a.so.1', 'index.js', 'package.json'].map(
      name => `svc_node/node_modules/native/${name}`,
    ),
    ...['svc_node/package.json', 'svc_ray/__init__.py', 'svc_ray/engines/torch.py'],
  ]);
  expect(files['svc_ray/__init__.py']).toBe('"""Grüße"""');
  expect(files['svc_ray/engines/torch.py']).toBe(FILES['ray/svc_ray/engines/torch.py']);
});

it('has the same digest in another folder, and another one for another content', async () => {
  const folder = await makeFolder(FILES);
  const copy = await makeFolder({});
  await cp(folder, copy, { recursive: true });
  const first = await buildPackage(folder, false);
  expect((await buildPackage(copy, false)).sha256).toBe(first.sha256);
  expect(Object.keys(await unzip(first.bytes)).every(name => name.startsWith('svc_ray/'))).toBe(true);
  await writeFile(join(copy, 'ray/svc_ray/__init__.py'), '');
  expect((await buildPackage(copy, false)).sha256).not.toBe(first.sha256);
});

it('names a package that is missing', async () => {
  const folder = await makeFolder(FILES);
  await rm(join(folder, 'node_modules/@scope'), { recursive: true });
  await expect(buildPackage(folder, true)).rejects.toThrow('The package @scope/pure is missing');
});
