// llama.cpp, through node-llama-cpp with the binaries that npm has, installed into the cache beside the real models.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CACHE } from './packages.js';

const VERSION = '3.22.1';

/** The parts of node-llama-cpp that are used. */
interface NodeLlama {
  getLlama(options: { gpu: false; build: 'never'; skipDownload: true; logLevel: 'error' }): Promise<{
    loadModel(options: { modelPath: string; gpuLayers: 0 }): Promise<Model>;
    dispose(): Promise<void>;
  }>;
}

interface Model {
  tokenize(text: string, specialTokens: boolean): number[];
  createContext(options: {
    contextSize: number;
    sequences: 1;
    threads: 1;
  }): Promise<{ getSequence(): Sequence }>;
  dispose(): Promise<void>;
}

interface Sequence {
  evaluate(
    tokens: readonly number[],
    options: { temperature: 0; yieldEogToken: true },
  ): AsyncGenerator<number>;
  controlledEvaluate(input: (number | [number, { generateNext: Wanted }])[]): Promise<Found[]>;
  clearHistory(): Promise<void>;
}

interface Wanted {
  logits: true | { filter: { tokens: number[]; includeTop: 1 } };
  totalLogitWeight?: true;
  options?: { temperature: 1; topK: 0; topP: 1; minP: 0 };
}

type Found = { next: { logits: Map<number, number>; totalLogitWeight: number } } | undefined;

export interface LlamaModel {
  /** With markers in the text as tokens. */
  encode(text: string): number[];
  /** The likeliest tokens after a prompt. */
  answer(promptIds: readonly number[], most: number): Promise<number[]>;
  /** For the token after each, or after the last alone. */
  logits(ids: readonly number[], after?: 'each' | 'last'): Promise<Float32Array[]>;
  /** The mean loss of each token after the first. */
  loss(ids: readonly number[]): Promise<number>;
  close(): Promise<void>;
}

/** With one thread: several wait for each other in loops, which takes minutes on a busy machine. */
export async function openLlama() {
  const entry = createRequire(join(await installLlama(), 'package.json')).resolve('node-llama-cpp');
  const { getLlama }: NodeLlama = await import(pathToFileURL(entry).href);
  const llama = await getLlama({ gpu: false, build: 'never', skipDownload: true, logLevel: 'error' });
  return {
    async open(path: string, contextSize: number): Promise<LlamaModel> {
      const model = await llama.loadModel({ modelPath: path, gpuLayers: 0 });
      const sequence = (await model.createContext({ contextSize, sequences: 1, threads: 1 })).getSequence();
      return {
        ...toModel(sequence),
        encode: text => model.tokenize(text, true),
        close: () => model.dispose(),
      };
    },
    close: () => llama.dispose(),
  };
}

function toModel(sequence: Sequence): Pick<LlamaModel, 'answer' | 'logits' | 'loss'> {
  return {
    async answer(promptIds, most) {
      await sequence.clearHistory();
      const tokens: number[] = [];
      const options = { temperature: 0, yieldEogToken: true } as const;
      for await (const token of sequence.evaluate(promptIds, options)) {
        tokens.push(token);
        if (tokens.length === most) break;
      }
      return tokens;
    },
    async logits(ids, after = 'last') {
      await sequence.clearHistory();
      const wanted = { generateNext: { logits: true } } as const;
      const asked = ids.map((id, at): number | [number, typeof wanted] =>
        after === 'each' || at === ids.length - 1 ? [id, wanted] : id,
      );
      const found = await sequence.controlledEvaluate(asked);
      return found.flatMap(item => (item ? [toArray(item.next.logits)] : []));
    },
    async loss(ids) {
      await sequence.clearHistory();
      const asked = ids.slice(0, -1).map((id, at): [number, { generateNext: Wanted }] => [
        id,
        {
          generateNext: {
            logits: { filter: { tokens: [ids[at + 1]!], includeTop: 1 } },
            totalLogitWeight: true,
            // Of all tokens.
            options: { temperature: 1, topK: 0, topP: 1, minP: 0 },
          },
        },
      ]);
      const found = await sequence.controlledEvaluate(asked);
      const losses = found.map((item, at) => {
        const { logits, totalLogitWeight } = item!.next;
        return Math.max(...logits.values()) - logits.get(ids[at + 1]!)! + Math.log(totalLogitWeight);
      });
      return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
    },
  };
}

function toArray(logits: ReadonlyMap<number, number>): Float32Array {
  const values = new Float32Array(logits.size);
  for (const [token, logit] of logits) values[token] = logit;
  return values;
}

const PLATFORMS: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'mac-x64',
  'darwin-arm64': 'mac-arm64-metal',
  'win32-x64': 'win-x64',
  'win32-arm64': 'win-arm64',
};

/** Into the folder that it returns, without install scripts, which would build llama.cpp or download it from elsewhere. */
export async function installLlama(): Promise<string> {
  const folder = join(CACHE, `node-llama-cpp-${VERSION}`);
  if (existsSync(folder)) return folder;
  const platform = PLATFORMS[`${process.platform}-${process.arch}`];
  if (!platform) throw new Error('npm has no llama.cpp for this platform.');
  const partial = `${folder}.${process.pid}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await writeFile(join(partial, 'package.json'), '{"private":true}');
  console.log(`Downloading node-llama-cpp ${VERSION} from npm`);
  const wanted = [`node-llama-cpp@${VERSION}`, `@node-llama-cpp/${platform}@${VERSION}`];
  const options = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...options, ...wanted], {
    cwd: partial,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await rename(partial, folder);
  return folder;
}
