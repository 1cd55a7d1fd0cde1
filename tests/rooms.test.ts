// Keeps the import law of tests/support/rooms.ts, and shows that each kind of breach is found.
import { describe, expect, it } from 'vitest';
import { JOURNEY_TIMEOUT_MS } from './support/patience.js';
import { findViolations, rooms } from './support/rooms.js';
import { readSourceTree } from './support/source-tree.js';

const long = (lines: number) => 'a;\n'.repeat(lines);

describe('the import law', () => {
  it('is kept by every source file of this repository', { timeout: JOURNEY_TIMEOUT_MS }, () => {
    const files = readSourceTree();
    expect(files.map(({ path }) => path)).toContain('cli/bin.ts');
    expect(findViolations(files).join('\n')).toBe('');
  });

  it('names no room that is not in its table', () => {
    const named = Object.values(rooms).flatMap(({ imports, starts = [] }) => [...imports, ...starts]);
    const known = Object.keys(rooms);
    expect(named.map(name => name.replace('/**', '')).filter(name => !known.includes(name))).toEqual([]);
  });
});

describe('what the law allows', () => {
  const allowed: Array<[path: string, source: string]> = [
    ['lib/contract/job.ts', "import { z } from 'zod/mini'; import './error.js';"],
    ['lib/client/node.ts', "import { EventSource } from 'eventsource'; import './sse/stream.js';"],
    ['lib/console/chart.ts', "import type { Job } from '../contract/index.js';"],
    ['lib/http/listen.ts', "import { listen } from 'listhen'; import { toNodeHandler } from 'h3/node';"],
    ['lib/sdk/entry.ts', "import 'node:fs'; import 'esbuild'; import '../client/node.js';"],
    ['lib/cloud/store/sqlite.ts', "import Database from 'libsql';"],
    ['lib/contract/a.ts', "import { type Clock, realClock } from '../clock/index.js'; clock.sleep(5);"],
    [
      'lib/client/patient-fetch.ts',
      "import { setImmediate } from 'node:timers/promises'; request.setTimeout(5);",
    ],
    ['lib/cloud/jobs/store.ts', "import { openDatabase } from '../store/db.js'; import 'kysely';"],
    ['lib/cloud/jobs/trainer.ts', "fork(new URL('../../engine/worker.js', import.meta.url))"],
    ['lib/engine/worker.ts', "import './tasks/train-task.js'; import './process/messages.js';"],
    ['lib/engine/train/data/rows.ts', "import '../../hub/index.js'; import 'hyparquet';"],
    ['bundled-model/recipe/run.ts', "import '../../lib/engine/train/index.js'; import '../corpus/index.js';"],
    ['studio-web/App.vue', "<script setup lang=\"ts\">import 'vue'; import './x.css?inline';</script>"],
    ['studio-web/vite.config.ts', "import 'node:path'; import 'vite'; import '@vitejs/plugin-vue';"],
    [
      'cli/dashboard/App.tsx',
      "import 'ink'; import 'react/jsx-runtime'; import '../../lib/console/index.js';",
    ],
    [
      'cli/dashboard/components/text.tsx',
      "import { Box, Text as InkText } from 'ink'; const write = (a: string) => log.write(a);",
    ],
    ['cli/dashboard/terminal/a.ts', "output.write('\\u001b[2J');"],
    ['cli/commands/dev.ts', "import '../style.js'; await import('../dashboard/index.js');"],
    ['cli/main.ts', "import '../package.json' with { type: 'json' }; import './commands/index.js';"],
    ['cli/bin.ts', 'process.exit(0);'],
    ['lib/sdk/a.ts', "// import 'vue'\nconst text = `import 'vue'`; new URL('/x', 'https://a.test');"],
    ['bundled-model/tests/a.test.ts', "import 'vue'; import '../../lib/cloud/store/db.js';"],
    ['tests/a.test.ts', "import 'vue'; import '../lib/cloud/store/db.js'; process.exit(1);"],
    ['lib/http/long.ts', long(400)],
  ];

  it.each(allowed)('is kept by %s', (path, source) => {
    expect(findViolations([{ path, source }])).toEqual([]);
  });
});

describe('what the law forbids', () => {
  const timer = (name: string) => `uses ${name}: take a Clock (lib/clock) instead`;
  const forbidden: Array<[breach: string, path: string, source: string, complaint: string]> = [
    ['a file in no room', 'lib/utils/text.ts', '', 'is in no room: see tests/support/rooms.ts'],
    ['a loose file in lib', 'lib/text.ts', '', 'is in no room: see tests/support/rooms.ts'],
    ['a file over 400 lines', 'lib/http/a.ts', long(401), 'has 401 lines: split what is over 400'],
    ['a long test', 'tests/a.test.ts', long(401), 'has 401 lines: split what is over 400'],
    ['a long style sheet', 'studio-web/a.css', long(401), 'has 401 lines: split what is over 400'],
    [
      'process.exit outside bin.ts',
      'cli/main.ts',
      'process.exit(1);',
      'calls process.exit: only cli/bin.ts may',
    ],
    [
      'process.exit handed on',
      'lib/cloud/a.ts',
      "process.on('SIGTERM', process.exit)",
      'calls process.exit: only cli/bin.ts may',
    ],
    [
      'a room it may not import',
      'lib/http/a.ts',
      "import '../client/index.js';",
      'imports lib/client/index.js: http may not import client',
    ],
    [
      'a type of such a room',
      'lib/contract/a.ts',
      "import type { A } from '../client/index.js';",
      'imports lib/client/index.js: contract may not import client',
    ],
    [
      'a type named in place',
      'lib/contract/a.ts',
      "let a: import('../client/index.js').A;",
      'imports lib/client/index.js: contract may not import client',
    ],
    [
      'an export from such a room',
      'lib/console/a.ts',
      "export * from '../sdk/index.js';",
      'imports lib/sdk/index.js: console may not import sdk',
    ],
    [
      'a dynamic import of such a room',
      'lib/studio/a.ts',
      "await import('../cloud/index.js');",
      'imports lib/cloud/index.js: studio may not import cloud',
    ],
    [
      'a require of such a room',
      'lib/studio/a.ts',
      "require('../cloud/index.js');",
      'imports lib/cloud/index.js: studio may not import cloud',
    ],
    [
      'an address in such a room',
      'lib/studio/a.ts',
      "new URL('../engine/worker.js', import.meta.url)",
      'imports lib/engine/worker.js: studio may not import engine/worker',
    ],
    [
      'a folder of such a room',
      'lib/http/a.ts',
      "import '../console';",
      'imports lib/console: http may not import console',
    ],
    [
      'an import in a .vue file',
      'studio-web/App.vue',
      '<template>a</template>\n<script setup lang="ts">\nimport \'../lib/sdk/index.js\';\n</script>',
      'imports lib/sdk/index.js: studio-web may not import sdk',
    ],
    [
      'the recipe of the base model',
      'cli/commands/a.ts',
      "import '../../bundled-model/recipe/run.js';",
      'imports bundled-model/recipe/run.js: cli/commands may not import bundled-model/recipe',
    ],
    [
      'a room of lib in a root file of the CLI',
      'cli/main.ts',
      "import '../lib/contract/index.js';",
      'imports lib/contract/index.js: cli may not import contract',
    ],
    [
      'the dashboard in a root file of the CLI',
      'cli/main.ts',
      "import './dashboard/index.js';",
      'imports cli/dashboard/index.js: cli may not import cli/dashboard',
    ],
    [
      'generating from training',
      'lib/engine/train/a.ts',
      "import '../generate/index.js';",
      'imports lib/engine/generate/index.js: engine/train may not import engine/generate',
    ],
    [
      'training from generating',
      'lib/engine/generate/a.ts',
      "import '../train/index.js';",
      'imports lib/engine/train/index.js: engine/generate may not import engine/train',
    ],
    [
      'any room from the graph',
      'lib/engine/graph/a.ts',
      "import '../weights/index.js';",
      'imports lib/engine/weights/index.js: engine/graph may not import engine/weights',
    ],
    [
      'the contract in the door of the engine',
      'lib/engine/index.ts',
      "import '../contract/index.js';",
      'imports lib/contract/index.js: engine may not import contract',
    ],
    [
      'a part of the engine behind its door',
      'lib/cloud/a.ts',
      "import '../engine/train/index.js';",
      'imports lib/engine/train/index.js: cloud may not import engine/train',
    ],
    [
      "the engine's worker loaded, not started",
      'lib/cloud/a.ts',
      "import '../engine/worker.js';",
      'imports lib/engine/worker.js: start it by URL instead',
    ],
    [
      'a room past its door',
      'lib/sdk/a.ts',
      "import '../contract/job.js';",
      'imports lib/contract/job.js, which is no door of contract',
    ],
    [
      'main from a command',
      'cli/commands/a.ts',
      "import '../main.js';",
      'imports cli/main.js, which is no door of cli',
    ],
    [
      'the Node door of client in a browser room',
      'studio-web/a.ts',
      "import '../lib/client/node.js';",
      'imports lib/client/node.js: studio-web may not import client/node',
    ],
    [
      'the Node door of client within client',
      'lib/client/index.ts',
      "export * from './node.js';",
      'imports lib/client/node.js: client may not import client/node',
    ],
    [
      'a test',
      'lib/sdk/a.ts',
      "import '../../tests/support/x.js';",
      'imports tests/support/x.js: product code may not',
    ],
    [
      'an example',
      'cli/commands/a.ts',
      "import '../../examples/x.js';",
      'imports examples/x.js: product code may not',
    ],
    [
      'a file outside the rooms',
      'lib/sdk/a.ts',
      "import '../../scripts/x.js';",
      'imports scripts/x.js, which is in no room',
    ],
    [
      'Node in a browser room',
      'lib/console/a.ts',
      "import 'node:fs';",
      'imports node:fs: console must run without Node',
    ],
    [
      'Node without its prefix',
      'lib/client/a.ts',
      "import 'path';",
      'imports path: client must run without Node',
    ],
    [
      'a package of another room',
      'lib/console/a.ts',
      "import 'zod';",
      'imports zod: console may not import this package',
    ],
    [
      'eventsource outside node.ts',
      'lib/client/a.ts',
      "import 'eventsource';",
      'imports eventsource: client may not import this package',
    ],
    [
      'the SQLite driver outside db.ts',
      'lib/cloud/store/jobs.ts',
      "import 'libsql';",
      'imports libsql: cloud may not import this package',
    ],
    [
      'ONNX Runtime outside the runtime',
      'lib/engine/model/a.ts',
      "import 'onnxruntime-node';",
      'imports onnxruntime-node: engine/model may not import this package',
    ],
    [
      'ONNX Runtime outside the file that turns its telemetry off',
      'lib/engine/runtime/a.ts',
      "import type { Tensor } from 'onnxruntime-node';",
      'imports onnxruntime-node: engine/runtime may not import this package',
    ],
    [
      'vite outside its config',
      'studio-web/main.ts',
      "import 'vite/client';",
      'imports vite/client: studio-web may not import this package',
    ],
    [
      'a package in a command',
      'cli/commands/a.ts',
      "import.meta.resolve('@huggingface/hub');",
      'imports @huggingface/hub: cli/commands may not import this package',
    ],
    ['a timer', 'lib/client/a.ts', 'window.setTimeout(act, 5);', timer('setTimeout')],
    [
      'an interval in a component',
      'studio-web/A.vue',
      '<script>setInterval(act, 5);</script>',
      timer('setInterval'),
    ],
    [
      'a sleep of Node',
      'lib/sdk/a.ts',
      "import { setTimeout as sleep } from 'node:timers/promises';",
      timer('setTimeout'),
    ],
    [
      'a limit of time',
      'cli/commands/a.ts',
      'const signal = AbortSignal.timeout(5);',
      timer('AbortSignal.timeout'),
    ],
    [
      "Ink's own text in the dashboard",
      'cli/dashboard/views/a.tsx',
      "import { Box, Text as Plain } from 'ink';",
      "imports Ink's Text: take Text of components/text.tsx",
    ],
    [
      'an escape code in the dashboard',
      'cli/dashboard/views/a.tsx',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the source under test
      'const bold = `\\u001b[${code}m`;',
      'has escape codes: take Text of components/text.tsx',
    ],
    [
      'writing past Ink in the dashboard',
      'cli/dashboard/hooks/a.ts',
      "io.stdout.write('a');",
      'writes to a standard stream: take Text of components/text.tsx',
    ],
    [
      'an import of itself by name',
      'lib/sdk/a.ts',
      "import 'svc';",
      'imports svc: inside the package use a relative path',
    ],
    [
      'a computed import',
      'cli/main.ts',
      "const a = './x.js'; await import(a);",
      'imports a computed name: only a literal can be judged',
    ],
    [
      'an import from a template',
      'cli/main.ts',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the source under test
      'await import(`./${a}.js`);',
      'imports a computed name: only a literal can be judged',
    ],
  ];

  it.each(forbidden)('%s', (_breach, path, source, complaint) => {
    expect(findViolations([{ path, source }])).toEqual([`${path} ${complaint}`]);
  });
});
