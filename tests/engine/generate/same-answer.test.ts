// A request has the same logits, bit for bit, whatever earlier requests left in memory. In int8 the smallest difference
// turns into another answer: it moves values across the boundaries that they are rounded at.
import { describe, expect, it, onTestFinished } from 'vitest';
import { baseModelFolder } from '../../../lib/base-model/index.js';
import {
  type CompleteRequest,
  createGenerator,
  type EchoPiece,
  type Generator,
  type GeneratorOptions,
  type LoadedAdapter,
  type Piece,
} from '../../../lib/engine/generate/index.js';
import * as engine from '../../../lib/engine/model/index.js';
import { openWeights } from '../../../lib/engine/train/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { numbers } from '../../support/text-decodings.js';

const CHUNK = 64;

describe.each(['int8', 'f32'] as const)('in %s', async precision => {
  const folder = temporaryFolder('svc-same-answer');
  const source = await firstLayers(baseModelFolder(), 2);
  const model = await openWeights(source, precision, { folder, trains: false });
  const adapter = randomAdapter(model);

  function open(options: Partial<GeneratorOptions> = {}): Generator {
    const generator = createGenerator({ ...model, text: numbers, session: { threads: 2 }, ...options });
    onTestFinished(generator.close);
    return generator;
  }

  type Request = Pick<CompleteRequest, 'promptIds'> & Partial<CompleteRequest>;

  /** The tokens of an answer with their log probabilities, which are those of its logits. */
  async function ask(generator: Generator, request: Request) {
    const pieces: (Piece | EchoPiece)[] = [];
    const wanted = { maxTokens: 8, temperature: 0, logprobs: 3, ...request };
    for await (const piece of generator.complete(wanted)) pieces.push(piece);
    const last = pieces.at(-1)!;
    return {
      tokens: pieces.flatMap(piece => ('logprobs' in piece ? piece.logprobs : [])),
      ids: pieces.filter(piece => !('isPrompt' in piece)).flatMap(({ tokenIds }) => tokenIds),
      cached: 'usage' in last ? last.usage!.cachedTokens : undefined,
    };
  }

  const alone = new Map<string, ReturnType<typeof ask>>();

  /** The same request of a generator that has answered nothing else. Each is asked once. */
  async function askAlone(request: Request) {
    const key = JSON.stringify({ ...request, adapter: Boolean(request.adapter) });
    if (!alone.has(key)) alone.set(key, ask(open(), request));
    return (await alone.get(key)!).tokens;
  }

  it.each([
    ['shorter than a chunk', 36, 0],
    ['of a chunk', CHUNK, 0],
    ['of a chunk and a token', CHUNK + 1, CHUNK],
    ['longer than two chunks', 150, 128],
  ])('a prompt %s, twice', async (_, length, cached) => {
    const generator = open();
    for (const which of [null, adapter]) {
      const request = { promptIds: prompt(length), adapter: which };
      const [first, second] = [await ask(generator, request), await ask(generator, request)];
      expect([first.cached, second.cached]).toEqual([0, cached]);
      expect(second.tokens).toEqual(first.tokens);
      expect(await askAlone(request)).toEqual(first.tokens);
    }
  });

  it('each turn of a chat', async () => {
    const generator = open();
    let promptIds = prompt(70);
    for (const from of [1000, 2000, 3000]) {
      const { tokens, ids } = await ask(generator, { promptIds, maxTokens: 60 });
      expect(tokens).toEqual(await askAlone({ promptIds, maxTokens: 60 }));
      promptIds = [...promptIds, ...ids, ...prompt(20, from)];
    }
    expect((await ask(generator, { promptIds })).cached).toBe(192);
  });

  it('a prompt that begins like others, of which some were dropped', async () => {
    const prompts = [prompt(300), [...prompt(140), ...prompt(70, 900)], prompt(200, 2000)];
    const generator = open({ prefixBudget: 2 ** 20 });
    const cached: unknown[] = [];
    for (const promptIds of [...prompts, ...prompts]) {
      const answer = await ask(generator, { promptIds });
      expect(answer.tokens).toEqual(await askAlone({ promptIds }));
      cached.push(answer.cached);
    }
    expect(cached).toEqual([0, 128, 0, 128, 192, 0]);
  });

  it('a prompt without an adapter, also by the session that serves adapters', async () => {
    const generator = open({ keepBoth: false });
    const promptIds = prompt(150);
    const first = await ask(generator, { promptIds });
    await ask(generator, { promptIds, adapter });
    const second = await ask(generator, { promptIds, caller: 'another' });
    expect(second).toEqual(first);
  });

  it('an echoed prompt, and the prompt without the echo', async () => {
    const generator = open();
    const promptIds = prompt(100);
    const request = { promptIds, echo: 'the prompt' };
    const first = await ask(generator, request);
    expect(first.tokens).toHaveLength(108);
    expect((await ask(generator, request)).tokens).toEqual(first.tokens);
    expect((await ask(generator, { promptIds })).cached).toBe(CHUNK);
    expect(await askAlone(request)).toEqual(first.tokens);
    expect((await ask(generator, { promptIds })).tokens).toEqual(await askAlone({ promptIds }));
  });

  it('the first token of an answer, also beside other requests', async () => {
    const generator = open();
    const others = [1, 2, 3].map(i => ask(generator, { promptIds: prompt(90, 500 * i), maxTokens: 40 }));
    const request = { promptIds: prompt(200), maxTokens: 1 };
    const beside = await ask(generator, request);
    await Promise.all(others);
    expect(beside.tokens).toEqual(await askAlone(request));
  });
});

/** The base model, without its other layers: they would compute the same for longer. */
async function firstLayers(folder: string, layers: number): Promise<engine.ModelSource> {
  const source = await engine.openModel(folder);
  return {
    ...source,
    config: { ...source.config, layers, mixers: source.config.mixers.slice(0, layers) },
  };
}

const prompt = (length: number, from = 0) =>
  Array.from({ length }, (_, i) => 5 + (((from + i) * 7919) % 4000));

/** Rank 4, on all modules. */
function randomAdapter({ config }: engine.ModelSource): LoadedAdapter {
  const rank = 4;
  const wave = (length: number) => Float32Array.from({ length }, (_, i) => Math.sin(i * i) / 20);
  const matrices = Array.from({ length: config.layers }, (_, layer) =>
    engine.MODULES.flatMap(module =>
      engine.moduleShape(config, module).map((width, i) => {
        const name = engine.adapterName(layer, module, i === 0 ? 'b' : 'a');
        return [name, wave(rank * width)] as const;
      }),
    ),
  ).flat();
  return { rank, scaling: 1, matrices: new Map(matrices) };
}
