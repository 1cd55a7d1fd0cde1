// The import law, for dependency-cruiser: which rooms there are, what each may import, and through which door it is entered.
// No file or folder needs one that needs it. `npm run check` cruises the product, and what makes its bundled model.

const faces = ['contract', 'client', 'console'];
const libRooms = [...faces, 'client/node', 'http', 'task', 'sdk', 'studio', 'cloud', 'engine'];
const parts = ['random', 'graph', 'onnx', 'runtime', 'model', 'text', 'weights'].map(
  part => `engine/${part}`,
);
const modelParts = [...parts, 'engine/structure', 'engine/engine-error'];

/**
 * `at`: a folder, the files directly in one (`cli/*`), or one file. A room in another is listed after it.
 * `imports`: the rooms it may enter through their doors; `client/**` means through any file of that room.
 * `doors`: through which others come in; `index` of a folder, or the one file, unless said otherwise.
 * `browser`: it runs there too, without Node's own modules.
 * Workers are started by their address, as processes or threads: nobody imports them.
 */
// biome-ignore format: one room, one line
const rooms = {
  clock:           { at: 'lib/clock/', browser: true },
  contract:        { at: 'lib/contract/', imports: ['contract/vocabulary'], packages: ['zod'], browser: true, doors: ['index', 'option-error'] },
  'contract/vocabulary': { at: 'lib/contract/vocabulary.ts', browser: true },
  client:          { at: 'lib/client/', imports: ['contract', 'system/doubled'], packages: ['eventsource-parser'], browser: true },
  'client/node':   { at: 'lib/client/node.ts', imports: ['contract', 'client/**', 'client/fetch'], packages: ['eventsource-parser', 'eventsource'], browser: true },
  'client/fetch':  { at: 'lib/client/patient-fetch.ts', imports: ['client/**'] },
  console:         { at: 'lib/console/', imports: ['contract', 'client', 'console/safe-text', 'console/identity-line'], packages: ['string-width'], browser: true },
  grading:         { at: 'lib/grading/', imports: ['contract', 'evaluation'], browser: true },
  'tool-calls':    { at: 'lib/tool-calls/', imports: ['task/fits'], packages: ['zod'], browser: true },
  evaluation:      { at: 'lib/evaluation/', imports: ['contract', 'engine/random', 'tool-calls'], browser: true, doors: ['index', 'rank-rows'] },
  'console/safe-text': { at: 'lib/console/safe-text.ts', browser: true },
  'console/identity-line': { at: 'lib/console/identity-line.ts', imports: ['contract'], browser: true },
  http:            { at: 'lib/http/', imports: ['contract'], packages: ['h3', 'listhen'] },
  sdk:             { at: 'lib/sdk/', imports: ['system', 'contract', 'client', 'client/node', 'evaluation', 'grading', 'tar', 'task', 'tool-calls', 'engine/data', 'engine/layout', 'engine/text', 'engine/train', 'cloud/own-tables'], packages: ['esbuild', 'openid-client'], doors: ['index', 'public', 'local-cloud/index'] },
  'sdk/openai-account': { at: 'lib/sdk/openai-account/', imports: ['system', 'contract', 'grading', 'client', 'client/node', 'sdk/**'], packages: ['zod'] },
  studio:          { at: 'lib/studio/', imports: ['system', 'contract', 'client', 'sdk', 'http'] },
  cloud:           { at: 'lib/cloud/', imports: ['system', 'tar', 'telemetry', 'contract', 'evaluation', 'grading', 'http', 'engine', 'cloud/sqlite', 'cloud/address', 'cloud/own-tables', 'cloud/ray'], packages: ['kysely', 'jose'] },
  'cloud/ray':     { at: 'lib/cloud/ray/', imports: ['contract', 'engine', 'cloud/**'], packages: ['zod'] },
  'cloud/sqlite':  { at: 'lib/cloud/store/sqlite.ts', packages: ['libsql'] },
  'cloud/address': { at: 'lib/cloud/host/address.ts', imports: ['contract', 'http', 'cloud/**'] },
  'cloud/own-tables': { at: 'lib/cloud/store/own-tables.ts', imports: ['cloud/**'] },
  'cloud/thread':  { at: 'lib/cloud/store/thread.ts', imports: ['cloud/**'] },
  telemetry:       { at: 'lib/telemetry/' },
  'run-export':    { at: 'lib/run-export/', imports: ['contract', 'client'] },
  task:            { at: 'lib/task/', imports: ['contract', 'console/safe-text', 'task/fits'], packages: ['zod'] },
  'task/fits':     { at: 'lib/task/client/fits.ts', browser: true },
  tar:             { at: 'lib/tar/', packages: ['modern-tar'] },
  system:          { at: 'lib/system/', imports: ['system/doubled', 'system/signals'] },
  'system/doubled': { at: 'lib/system/doubled.ts', browser: true },
  'system/signals': { at: 'lib/system/signals.ts' },

  engine:          { at: 'lib/engine/index.ts', imports: ['process', 'generate', 'int8', 'model', 'data', 'hub', 'environment', 'files', 'engine-error', 'layout', 'text', 'train', 'weights', 'export', 'gguf', 'local-models', 'catalog'].map(part => `engine/${part}`) },
  'engine/worker': { at: 'lib/engine/worker.ts', imports: ['engine/process', 'engine/tasks'] },
  'engine/run-worker': { at: 'lib/engine/run-worker.ts', imports: ['contract', 'engine/process', 'engine/tasks'] },
  'engine/serve-worker': { at: 'lib/engine/serve-worker.ts', imports: ['engine/process', 'engine/tasks'] },
  'engine/prompt-thread': { at: 'lib/engine/prompt-thread.ts', imports: ['engine/tasks'] },
  'engine/file-worker': { at: 'lib/engine/file-worker.ts', imports: ['engine/files', 'engine/process'] },
  'engine/process': { at: 'lib/engine/process/', imports: ['system', 'contract', 'engine/train', 'engine/generate', 'engine/int8', 'engine/structure', 'engine/text', 'engine/environment', 'engine/engine-error'], doors: ['messages', 'heartbeat', 'start-probe', 'start-serving', 'start-training', 'worker-process'] },
  'engine/tasks':  { at: 'lib/engine/tasks/', imports: ['system', 'contract', 'engine/process', ...modelParts, 'engine/train', 'engine/generate', 'engine/layout', 'engine/environment'], doors: ['probe-task', 'score-desk', 'train-task', 'serve-task', 'serve-prompts'] },
  'engine/files':  { at: 'lib/engine/files/', imports: ['system', 'contract', 'engine/process', 'engine/data', 'engine/train', 'engine/weights', 'engine/model', 'engine/layout', 'engine/text', 'engine/generate', 'engine/engine-error'], doors: ['index', 'messages', 'work'] },
  'engine/export': { at: 'lib/engine/export/', imports: ['contract', 'system', 'engine/model', 'engine/weights', 'engine/text', 'engine/gguf'] },
  'engine/catalog': { at: 'lib/engine/catalog/', imports: ['contract', 'engine/layout', 'engine/graph', 'engine/gguf', 'engine/model', 'engine/text', 'engine/weights', 'engine/generate', 'engine/train'] },
  'engine/local-models': { at: 'lib/engine/local-models/', imports: ['engine/layout'] },
  'engine/gguf':   { at: 'lib/engine/gguf/', imports: ['system', 'engine/graph', 'engine/model', 'engine/weights'] },
  'engine/random': { at: 'lib/engine/random.ts', browser: true },
  'engine/graph':  { at: 'lib/engine/graph/' },
  'engine/text':   { at: 'lib/engine/text/', imports: ['contract', 'tool-calls'], packages: ['@huggingface/tokenizers', '@huggingface/jinja'], doors: ['index', 'row-formats', 'preference-rows', 'errors', 'lower-bound'] },
  'engine/weights': { at: 'lib/engine/weights/', imports: ['system', 'engine/layout'] },
  'engine/onnx':   { at: 'lib/engine/onnx/', imports: ['engine/graph'] },
  'engine/webgpu': { at: 'lib/engine/webgpu/', imports: ['engine/graph'] },
  'engine/model':  { at: 'lib/engine/model/', imports: ['engine/graph', 'engine/weights', 'engine/layout'] },
  'engine/int8':   { at: 'lib/engine/int8/', imports: ['system', 'engine/graph', 'engine/weights', 'engine/model'] },
  'engine/runtime': { at: 'lib/engine/runtime/', imports: ['engine/graph', 'engine/onnx', 'engine/webgpu', 'engine/int8', 'engine/runtime/load', 'engine/environment'] },
  'engine/runtime/load': { at: 'lib/engine/runtime/load.ts', imports: ['engine/environment'], packages: ['onnxruntime-node'] },
  'engine/engine-error': { at: 'lib/engine/engine-error.ts' },
  'engine/layout': { at: 'lib/engine/run-layout.ts' },
  'engine/environment': { at: 'lib/engine/environment.ts' },
  'engine/train':  { at: 'lib/engine/train/', imports: [...parts, 'clock', 'contract', 'engine/generate', 'engine/structure', 'engine/int8', 'engine/data', 'engine/layout', 'system', 'tool-calls'], doors: ['index', 'digests', 'kept-checkpoints', 'options', 'pass-size', 'rewards/prompt-file', 'tokens', 'check/open-check', 'row-losses/read-row-losses'] },
  'engine/data':   { at: 'lib/engine/train/data/', imports: ['contract', 'system', 'engine/random', 'engine/hub', 'engine/layout', 'engine/text'], packages: ['hyparquet'] },
  'engine/hub':    { at: 'lib/engine/hub/', imports: ['system', 'engine/layout'], packages: ['@huggingface/hub'], doors: ['download-model', 'repository'] },
  'engine/structure': { at: 'lib/engine/structure/', imports: ['engine/engine-error'] },
  'engine/generate': { at: 'lib/engine/generate/', imports: modelParts, doors: ['index', 'turns', 'answer-stream', 'cache-budget'] },
  'base-model':    { at: 'lib/base-model/index.ts' },
  vitest:          { at: 'lib/vitest/', imports: ['contract', 'client', 'console', 'evaluation', 'sdk', 'task', 'vitest/override'], packages: ['vitest'] },
  'vitest/override': { at: 'lib/vitest/override.ts' },
  'start-cloud':   { at: 'lib/start-cloud.ts', imports: ['cloud', 'base-model'] },
  'public index':  { at: 'lib/index.ts', imports: [...libRooms, 'start-cloud', 'engine/engine-error'] },

  'bundled-model/corpus': { at: 'bundled-model/corpus/', imports: ['engine/random'] },
  'bundled-model/practice': { at: 'bundled-model/practice/', imports: ['engine/random', 'bundled-model/corpus'] },
  'bundled-model/tokenizer': { at: 'bundled-model/tokenizer/' },
  'bundled-model/recipe': { at: 'bundled-model/recipe/', imports: ['engine', ...parts, 'engine/train', 'contract', 'base-model', 'bundled-model/corpus', 'bundled-model/tokenizer'] },

  'studio-web':    { at: 'studio-web/', imports: faces, packages: ['vue'], browser: true },
  'vite config':   { at: 'studio-web/vite.config.ts', packages: ['vite', '@vitejs/plugin-vue'] },
  cli:             { at: 'cli/*', imports: ['cli/commands', 'console/safe-text', 'contract/vocabulary', 'system/signals'], doors: ['command', 'help', 'lookup', 'options', 'print', 'screen', 'style'] },
  'cli/commands':  { at: 'cli/commands/', imports: [...libRooms, 'cloud/address', 'console/identity-line', 'system', 'tar', 'base-model', 'run-export', 'telemetry', 'sdk/openai-account', 'vitest/override', 'cli/dashboard', 'cli/mcp', 'cli'], packages: ['vitest'] },
  'cli/mcp':       { at: 'cli/mcp/', imports: ['clock', 'contract', 'console', 'sdk', 'studio', 'system', 'cli'], packages: ['@modelcontextprotocol/server', 'zod'], doors: ['over-stdio', 'over-http', 'permissions'] },
  'cli/dashboard': { at: 'cli/dashboard/', imports: [...faces, 'client/node'], packages: ['ink', 'react', 'ink-text-input', 'asciichart'] },
};

const names = Object.keys(rooms);
const literal = path => path.replace(/[.]/g, '\\$&');
const folderOf = ({ at }) => at.replace(/[^/]*$/, '');
/** All of its files, and those of the rooms in it. */
const filesOf = ({ at }) => `^${literal(at).replace(/\*$/, '[^/]+$')}${/\w$/.test(at) ? '$' : ''}`;
const roomsIn = room =>
  names.filter(name => rooms[name] !== room && rooms[name].at.startsWith(room.at)).map(name => rooms[name]);
const doorsOf = room => {
  const files = room.doors ?? (room.at.endsWith('/') ? ['index'] : [room.at.match(/([^/]+)\.ts$/)[1]]);
  return `^${folderOf(room)}(${files.join('|')})\\.tsx?$`;
};
const packagesIn = list => `node_modules/(@types/)?(${list.join('|')})/`;

const unknown = names
  .flatMap(name => rooms[name].imports ?? [])
  .filter(name => !rooms[name.replace('/**', '')]);
if (unknown.length > 0) throw new Error(`No room is called ${unknown.join(' or ')}.`);

/** Where a room may go. */
const ways = names.map(name => {
  const room = rooms[name];
  const { imports = [], packages = [] } = room;
  const entered = ['clock', ...imports].map(to =>
    to.endsWith('/**') ? filesOf(rooms[to.slice(0, -3)]) : doorsOf(rooms[to]),
  );
  return {
    name: `only-what-${name}-may`,
    comment: `${name} may enter ${['clock', ...imports].join(', ')} by their doors, and load ${packages.join(', ') || 'no package'}.`,
    severity: 'error',
    from: { path: filesOf(room), pathNot: roomsIn(room).map(filesOf) },
    to: {
      pathNot: [
        filesOf(room),
        ...entered,
        packagesIn(packages),
        '^package\\.json$',
        'node_modules/@types/node/',
      ],
      dependencyTypesNot: ['core'],
    },
  };
});

/** Who may come to a room that lies in another one. */
const inner = names
  .filter(name => names.some(other => roomsIn(rooms[other]).includes(rooms[name])))
  .map(name => ({
    name: `only-who-may-into-${name}`,
    severity: 'error',
    from: {
      pathNot: [
        rooms[name],
        ...names
          .map(other => rooms[other])
          .filter(({ imports = [] }) => imports.includes(name) || imports.includes(`${name}/**`)),
      ].map(filesOf),
    },
    to: { path: filesOf(rooms[name]) },
  }));

const browserRooms = names.map(name => rooms[name]).filter(({ browser }) => browser);
const nodeRooms = names.map(name => rooms[name]).filter(({ browser }) => !browser);
const inNoRoom = { pathNot: names.map(name => filesOf(rooms[name])) };

export default {
  forbidden: [
    ...ways,
    ...inner,
    { name: 'in-no-room', severity: 'error', from: inNoRoom, to: {} },
    { name: 'in-no-room', severity: 'error', from: { ...inNoRoom, orphan: true }, to: {} },
    {
      name: 'no-node-in-the-browser',
      severity: 'error',
      from: {
        path: browserRooms.map(filesOf),
        pathNot: nodeRooms.filter(({ at }) => at.endsWith('.ts')).map(filesOf),
      },
      to: { dependencyTypes: ['core'] },
    },
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-circle-of-folders', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
    { name: 'not-found', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: ['node_modules', '^dist/'] },
    exclude: { path: ['^bundled-model/tests/', '^lib/base-model/files/'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
