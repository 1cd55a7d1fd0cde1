// What rounding costs the answers of a real model: in int8 beside llama.cpp's q8_0, both against their own floats.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRACTICE_NAMES, practiceRows } from '../../bundled-model/practice/index.js';
import { writeGgufModel } from '../../lib/engine/index.js';
import { divergenceOf, logSum } from '../../lib/engine/int8/index.js';
import { buildLogitsGraph, type ModelSource, openModel, toLineInputs } from '../../lib/engine/model/index.js';
import { createSession } from '../../lib/engine/runtime/index.js';
import { type ModelText, openText } from '../../lib/engine/text/index.js';
import { openWeights } from '../../lib/engine/train/index.js';
import { repositoryRoot } from '../support/repository-root.js';
import { openLlama } from './llama-cpp.js';
import { writeUntrained } from './untrained.js';

/** Tokens of a text. */
const LENGTH = 32;

/** Characters of a page of the documentation. */
const PAGE = 4000;

/** Returns the logits after each token of a line. */
type Expect = (ids: readonly number[]) => Promise<Float32Array[]>;

interface Peer {
  expect: Expect;
  close(): Promise<void>;
}

interface Cost {
  /** The mean Kullback-Leibler divergence of the next token, in nats. */
  divergence: number;
  /** The share of the tokens after which both find the same one likeliest. */
  agreed: number;
  exactPerplexity: number;
  perplexity: number;
}

/** What each precision costs, over half as many pages of prose as texts, and as many chats. */
export async function compareRounding(
  folder: string,
  count: number,
): Promise<{ precision: string; texts: number; cost: Cost }[]> {
  const work = await mkdtemp(join(tmpdir(), 'svc-rounding-'));
  const stored = await openModel(folder);
  const exact = await openOwn(stored);
  const peers = {
    'svc int8': await openOwn(await openWeights(stored, 'int8', { folder: work, trains: false })),
    'llama.cpp q8_0': await openQ8(folder, stored, work),
  };
  try {
    const texts = await readTexts(await openText(folder), count);
    const costs = Object.keys(peers).map(precision => ({ precision, ...createCost() }));
    for (const ids of texts) {
      const wanted = await exact.expect(ids);
      for (const { precision, add } of costs)
        add(ids, wanted, await peers[precision as keyof typeof peers].expect(ids));
    }
    return costs.map(({ precision, read }) => ({ precision, texts: texts.length, cost: read() }));
  } finally {
    await Promise.all([exact, ...Object.values(peers)].map(peer => peer.close()));
    await rm(work, { recursive: true });
  }
}

async function openOwn({ config, weights }: ModelSource): Promise<Peer> {
  const { graph } = buildLogitsGraph(config, weights, { rank: 1, scaling: 1, modules: [] }, LENGTH);
  const session = await createSession(graph);
  return {
    async expect(ids) {
      const { logits } = await session.run(toLineInputs(ids, config));
      const { vocabulary } = config;
      return ids.map((_, at) => logits!.subarray(at * vocabulary, (at + 1) * vocabulary));
    },
    close: session.close,
  };
}

async function openQ8(modelFolder: string, model: ModelSource, work: string): Promise<Peer> {
  const adapterFolder = await writeUntrained(model, join(work, 'untrained'));
  const source = { adapterFolder, modelFolder, name: 'real', quantization: 'q8_0' } as const;
  const q8Folder = await mkdtemp(join(work, 'q8-'));
  const { files } = await writeGgufModel(q8Folder, source);
  const llama = await openLlama();
  const peer = await llama.open(join(q8Folder, files[0]), LENGTH + 1);
  return {
    expect: ids => peer.logits(ids, 'each'),
    async close() {
      await peer.close();
      await llama.close();
    },
  };
}

/** Half of them prose, half chats. */
async function readTexts(text: ModelText, count: number): Promise<number[][]> {
  const first = text.encode('', { addSpecialTokens: true });
  const parts = await readProse(text, { size: LENGTH, count: count / 2 });
  const encodeChat = (messages: readonly { role: string; content: string }[]) =>
    text.hasChatTemplate
      ? text.encode(text.renderChat(messages.map(message => ({ ...message }))))
      : [...first, ...text.encode(messages.map(({ content }) => content).join('\n'))];
  const chats = PRACTICE_NAMES.flatMap(set => practiceRows(set, 'held-out', count, 1))
    .map(({ messages }) => encodeChat(messages))
    .filter(ids => ids.length >= LENGTH)
    // Without its first token, some models know no text.
    .map(ids => [...first, ...ids.slice(first.length - LENGTH)]);
  // Of each data set as many.
  const step = Math.floor(chats.length / (count / 2));
  return [...parts, ...parts.map((_, at) => chats[at * step]!)];
}

function createCost() {
  let [tokens, divergence, agreed, loss, exactLoss] = [0, 0, 0, 0, 0];
  return {
    add(ids: readonly number[], exact: readonly Float32Array[], found: readonly Float32Array[]) {
      for (const [at, id] of ids.slice(1).entries()) {
        const [wanted, other] = [exact[at]!, found[at]!];
        tokens++;
        divergence += divergenceOf(wanted, other);
        agreed += Number(likeliest(wanted) === likeliest(other));
        exactLoss += logSum(wanted) - wanted[id]!;
        loss += logSum(other) - other[id]!;
      }
    },
    read: (): Cost => ({
      divergence: divergence / tokens,
      agreed: agreed / tokens,
      exactPerplexity: Math.exp(exactLoss / tokens),
      perplexity: Math.exp(loss / tokens),
    }),
  };
}

function likeliest(logits: Float32Array): number {
  let best = 0;
  for (let token = 1; token < logits.length; token++) if (logits[token]! > logits[best]!) best = token;
  return best;
}

/** Parts of the documentation, with so many tokens each. */
export async function readProse(
  text: ModelText,
  { size, count }: { size: number; count: number },
): Promise<number[][]> {
  const first = text.encode('', { addSpecialTokens: true });
  const docs = join(repositoryRoot, 'docs');
  const files = (await readdir(docs)).filter(file => file.endsWith('.md')).sort();
  const pages = await Promise.all(files.map(file => readFile(join(docs, file), 'utf8')));
  // References are mostly tables and types.
  const prose = text.encode(pages.map(page => page.slice(0, PAGE)).join('\n\n'));
  const fresh = size - first.length;
  return Array.from({ length: count }, (_, part) => [
    ...first,
    ...prose.slice(part * fresh, (part + 1) * fresh),
  ]);
}
