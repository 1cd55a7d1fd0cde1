// The files of an adapter's npm package, but for the adapter itself.
import { inlineMarkdown, scoreTableText } from '../../../../lib/console/index.js';
import type { Artifact, Evaluation, TaskDescription } from '../../../../lib/contract/index.js';
import { toSource, toType } from '../../../../lib/task/index.js';
import { UsageError } from '../../../command.js';
import { textOption } from '../../project/option-values.js';
import type { SessionContext } from '../../project/session-command.js';

export interface PackageFacts {
  name: string;
  artifact: Pick<Artifact, 'sha256' | 'kind' | 'step'>;
  job: { id: string; name: string };
  task: TaskDescription | null;
  /** As its trainer's option. */
  enableThinking: boolean | undefined;
  baseModel: {
    name: string;
    /** Of the one that the job was trained on. Null if it is not known. */
    digest: string | null;
    /** Null if it is not known. */
    license: string | null;
  };
  /** Of this adapter, one for each data set, newest first. */
  evaluations: readonly Evaluation[];
  /** The version of svc that wrote it. */
  svcVersion: string;
}

/** The folder with the adapter. */
export const ADAPTER_FOLDER = 'adapter';

/** Contents by name. */
export function packageFiles(facts: PackageFacts): Record<string, string> {
  return {
    'package.json': packageJson(facts),
    'README.md': readme(facts),
    'LICENSE.md': license(facts),
    'index.js': program(facts),
    'index.d.ts': declarations(facts),
  };
}

function packageJson({ name, artifact, task, baseModel, evaluations, svcVersion }: PackageFacts): string {
  const content = {
    name,
    version: '0.1.0',
    description: `An adapter for ${baseModel.name}${task ? `, for the task ${task.name}` : ''}.`,
    license: 'SEE LICENSE IN LICENSE.md',
    keywords: ['lora', 'svc'],
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.19' },
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './package.json': './package.json',
      [`./${ADAPTER_FOLDER}/*`]: `./${ADAPTER_FOLDER}/*`,
    },
    files: ['index.js', 'index.d.ts', ADAPTER_FOLDER],
    // Optional, so that npm does not install it from the registry, where the name is another package's.
    peerDependencies: { svc: `>=${svcVersion}` },
    peerDependenciesMeta: { svc: { optional: true } },
    adapter: {
      sha256: artifact.sha256,
      baseModel: baseModel.name,
      ...(baseModel.digest && { baseModelDigest: baseModel.digest }),
      baseModelLicense: baseModel.license,
      ...(task && { task: task.name }),
      evaluations: evaluations.map(({ createdAt, data, scores }) => ({ createdAt, data, scores })),
    },
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** Only the program can write the messages of such a task. */
const needsPrompt = (task: TaskDescription | null) => task !== null && !task.prompt;

function program({ name, artifact, task, enableThinking, baseModel }: PackageFacts): string {
  const known = {
    name,
    sha256: artifact.sha256,
    baseModel: baseModel.name,
    ...(baseModel.digest && { baseModelDigest: baseModel.digest }),
    ...(enableThinking !== undefined && { enableThinking }),
    ...(task && { task }),
  };
  return `import { connectAdapter } from 'svc';

const adapter = ${toSource(known)};
const folder = new URL('./${ADAPTER_FOLDER}/', import.meta.url);

/** Nothing happens before the first question, which has the local cloud serve the adapter. */
export const connect = options => connectAdapter({ ...adapter, folder }, options);

export { TaskError } from 'svc';
${needsPrompt(task) ? '' : '\nexport const ask = connect();\n'}`;
}

function declarations({ task }: PackageFacts): string {
  const [input, output] = task ? [toType(task.input), toType(task.output)] : ['PlainQuestion', 'string'];
  const isOpen = needsPrompt(task);
  const imported = ['AdapterConnectOptions', ...(task ? [] : ['PlainQuestion']), 'TaskClient'];
  const options = isOpen
    ? "options: AdapterConnectOptions<Input> & Required<Pick<AdapterConnectOptions<Input>, 'prompt'>>"
    : 'options?: AdapterConnectOptions<Input>';
  return `import type { ${imported.join(', ')} } from 'svc';

export { TaskError, type TaskErrorCode } from 'svc';

export type Input = ${input};

export type Output = ${output};

/** Asks with other settings than the usual ones${isOpen ? '. `prompt` writes the messages, as the task does' : ''}. */
export declare function connect(${options}): TaskClient<Input, Output>;
${isOpen ? '' : '\n/** The first question has the local cloud serve the adapter, starting the cloud if it does not run. */\nexport declare const ask: TaskClient<Input, Output>;\n'}`;
}

function readme(facts: PackageFacts): string {
  const { name, artifact, task, baseModel, job } = facts;
  const which = artifact.kind === 'final' ? 'final adapter' : `checkpoint at step ${artifact.step}`;
  const parts = [
    `# ${inlineMarkdown(name)}`,
    `A LoRA adapter for ${inlineMarkdown(baseModel.name)}${task ? `, for the task ${inlineMarkdown(task.name)}` : ''}.`,
    `\`\`\`sh\nnpm install ${name}\n\`\`\``,
    usage(facts),
    `The project needs svc, too. The first question has svc's local cloud serve the adapter on this machine. The cloud is started if it does not run; it must serve ${inlineMarkdown(baseModel.name)}.`,
    ...scores(facts),
    '## Where it comes from',
    [
      `- The ${which} of the job ${inlineMarkdown(job.name)} (${job.id})`,
      `- SHA-256: \`${artifact.sha256}\`, checked before the adapter is used`,
      `- License of the base model: ${inlineMarkdown(baseModel.license ?? 'not known')}. See LICENSE.md.`,
    ].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function usage({ name, task }: PackageFacts): string {
  const lines = needsPrompt(task)
    ? [
        `import { connect } from '${name}';`,
        '',
        '// As the task writes its messages.',
        "const ask = connect({ prompt: input => [{ role: 'user', content: … }] });",
      ]
    : [`import { ask } from '${name}';`, ''];
  const asked = task ? ['const output = await ask(input);'] : ["const answer = await ask('…');"];
  const typed = task
    ? `\n\n\`\`\`ts\ntype Input = ${toType(task.input)};\n\ntype Output = ${toType(task.output)};\n\`\`\``
    : '';
  return `\`\`\`ts\n${[...lines, ...asked].join('\n')}\n\`\`\`${typed}`;
}

function scores({ evaluations }: PackageFacts): string[] {
  if (evaluations.length === 0) return [];
  const tables = evaluations.flatMap(evaluation => [
    `On ${inlineMarkdown(evaluation.data.name)}, ${evaluation.data.rows} rows, ${evaluation.createdAt.slice(0, 10)}:`,
    scoreTableText({ ...evaluation, comparison: null }),
  ]);
  return ['## Scores', ...tables];
}

function license({ baseModel }: PackageFacts): string {
  const terms =
    baseModel.license === null
      ? 'Its license is not known here. Read it before you publish this package.'
      : `It has the license ${inlineMarkdown(baseModel.license)}, as its files say.`;
  return `# License

The adapter in this package was trained from the base model ${inlineMarkdown(baseModel.name)}, which is not part of the package.
${terms} Its terms may also apply to adapters and to what they write.

The license of the adapter itself is for its author to choose: write it here.
`;
}

const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const TAKEN: ReadonlySet<string> = new Set(['svc', 'node_modules', 'favicon.ico']);
const LONGEST_NAME = 214;

/** Throws unless npm accepts the option `--name` for a new package. */
export function requirePackageName(input: Pick<SessionContext, 'values'>): void {
  const name = textOption(input, 'name');
  if (name === undefined || (NAME.test(name) && name.length <= LONGEST_NAME && !TAKEN.has(name))) return;
  throw new UsageError(
    `option "--name" must be the name of an npm package, such as @me/triage, not "${name}".`,
  );
}
