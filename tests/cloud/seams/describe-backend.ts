// What any backend must do, whatever it asks: with a tiny model and real adapters, and words that only its engine knows.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend, Question, StoredAdapter } from '../../../lib/cloud/seams/backend.js';
import { guardBackend } from '../../../lib/cloud/seams/backend.js';
import { type AskKind, type Asks, EngineError, type Piece } from '../../../lib/engine/index.js';
import { describeAdapter } from '../../../lib/engine/train/digests.js';
import { makeAdapterFolder } from '../../support/sample-adapter.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { until } from '../../support/until.js';

export interface BackendUnderTest {
  backend: Backend;
  /** Kills what answers now. Something else answers soon. */
  breakDown(): unknown;
  /** Everything around the backend, which is closed by then. */
  close(): unknown;
}

const ADAPTERS = 3;
const UNKNOWN = 'f'.repeat(64);
/** More than a machine computes while it is looked at, and the model has room for. */
const LONG = 8000;
const CONTEXT = 8192;
const AT_ONCE = 6;
const never = () => new AbortController().signal;
const messages = [{ role: 'user', content: 'hello' }];
const chat: Question<'chat'> = { messages, adapter: null, temperature: 0, maxTokens: 8 };

export function describeBackend(
  name: string,
  open: (modelFolder: string) => Promise<BackendUnderTest>,
): void {
  // The tests learn what the model says, compare it with what it says later, and close what they ask at last.
  describe.sequential(name, { shuffle: false }, () => {
    let [modelFolder, folder] = ['', ''];
    let given: BackendUnderTest;
    let backend: Backend;
    const adapters: StoredAdapter[] = [];
    /** What the base model says, and each adapter. */
    const says = new Map<string | null, string>();

    beforeAll(async () => {
      modelFolder = await makeModelFolder();
      const config = join(modelFolder, 'config.json');
      const settings = JSON.parse(await readFile(config, 'utf8'));
      await writeFile(config, JSON.stringify({ ...settings, max_position_embeddings: CONTEXT }));
      folder = await mkdtemp(join(tmpdir(), 'svc-adapters-'));
      for (let seed = 1; seed <= ADAPTERS; seed++) {
        const made = await makeAdapterFolder(join(folder, String(seed)), modelFolder, { seed });
        adapters.push({ sha256: (await describeAdapter(made, 'final', 0)).sha256, folder: made });
      }
      given = await open(modelFolder);
      backend = guardBackend(given.backend);
    });
    afterAll(async () => {
      await backend?.close();
      await given?.close();
      await Promise.all([modelFolder, folder].map(path => rm(path, { recursive: true, force: true })));
    });

    const ask = <K extends AskKind>(kind: K, task: Question<K>) => collect(backend.ask(kind, task, never()));
    const openLong = (signal = never()) =>
      backend.ask('chat', { ...chat, maxTokens: LONG }, signal)[Symbol.asyncIterator]();
    const say = async (adapter: string | null) => toText(await ask('chat', { ...chat, adapter }));

    it('answers in pieces, of which the last says why it is the last, and what it took', async () => {
      const pieces = await ask('chat', chat);
      const last = pieces.at(-1)!;
      expect(pieces.length).toBeGreaterThan(1);
      expect(pieces.filter(({ finishReason }) => finishReason)).toEqual([last]);
      expect(last).toMatchObject({ text: '', finishReason: 'length', usage: { completionTokens: 8 } });
      expect(last.finishReason && last.usage.promptTokens).toBeGreaterThan(0);
      await until(() => backend.state).toBe('ready');
      says.set(null, toText(pieces));
      expect(await say(null)).toBe(says.get(null));
    });

    it('draws the same words from the same seed', async () => {
      const drawn = { ...chat, temperature: 1, seed: 5 };
      expect(toText(await ask('chat', drawn))).toBe(toText(await ask('chat', drawn)));
    });

    it('completes a text', async () => {
      const task: Question<'complete'> = { prompt: 'hello', adapter: null, temperature: 0, maxTokens: 4 };
      const pieces = (await ask('complete', task)) as Piece[];
      expect(pieces.at(-1)).toMatchObject({ finishReason: 'length', usage: { completionTokens: 4 } });
      expect(toText(pieces)).not.toBe('');
    });

    it('knows the tokens of the model', async () => {
      const [ids] = await ask('encode', { text: 'hello', addSpecialTokens: false });
      expect(await ask('decode', { ids: ids! })).toEqual(['hello']);
      expect(await ask('describe', {})).toHaveLength(1);
    });

    it('answers each question by its adapter, many at once', async () => {
      for (const adapter of adapters) {
        await backend.load(adapter);
        says.set(adapter.sha256, await say(adapter.sha256));
      }
      expect(new Set(says.values()).size).toBe(ADAPTERS + 1);
      const asked = [...says.keys(), ...says.keys(), ...says.keys()];
      expect(await Promise.all(asked.map(say))).toEqual(asked.map(sha256 => says.get(sha256)));
    });

    it('loads an adapter again as if it were nothing, and refuses one that was not loaded', async () => {
      const [adapter] = adapters as [StoredAdapter];
      await Promise.all([backend.load(adapter), backend.load(adapter)]);
      expect(await say(adapter.sha256)).toBe(says.get(adapter.sha256));
      await expect(say(UNKNOWN)).rejects.toThrow(EngineError);
      await expect(say(UNKNOWN)).rejects.toMatchObject({ code: 'engine_unavailable' });
    });

    it('forgets an adapter that is unloaded, and no other', async () => {
      const [gone, stays] = adapters as [StoredAdapter, StoredAdapter];
      await backend.unload(UNKNOWN);
      await backend.unload(gone.sha256);
      await backend.unload(gone.sha256);
      await expect(say(gone.sha256)).rejects.toMatchObject({ code: 'engine_unavailable' });
      expect(await say(stays.sha256)).toBe(says.get(stays.sha256));
      await backend.load(gone);
      expect(await say(gone.sha256)).toBe(says.get(gone.sha256));
    });

    it('finishes the answers of an adapter that is unloaded meanwhile', async () => {
      const [adapter] = adapters as [StoredAdapter];
      const answer = backend.ask('chat', { ...chat, adapter: adapter.sha256, maxTokens: 60 }, never());
      const rest = answer[Symbol.asyncIterator]();
      const pieces = [(await rest.next()).value as Piece];
      await backend.unload(adapter.sha256);
      for (let next = await rest.next(); !next.done; next = await rest.next()) pieces.push(next.value);
      expect(pieces.at(-1)).toMatchObject({ finishReason: 'length' });
      await backend.load(adapter);
      expect(await say(adapter.sha256)).toBe(says.get(adapter.sha256));
    });

    it('ends with the reason of its caller, before and during an answer', async () => {
      const reason = new Error('gone');
      await expect(collect(backend.ask('chat', chat, AbortSignal.abort(reason)))).rejects.toBe(reason);
      const caller = new AbortController();
      const pieces = openLong(caller.signal);
      await pieces.next();
      caller.abort(reason);
      await expect(untilDone(pieces)).rejects.toBe(reason);
      for await (const _ of backend.ask('chat', { ...chat, maxTokens: LONG }, never())) break;
      expect(await say(null)).toBe(says.get(null));
    });

    it('refuses what is too long as such', async () => {
      const asked = ask('chat', { ...chat, messages: [{ role: 'user', content: 'x'.repeat(2 * CONTEXT) }] });
      const refusal = expect(asked).rejects;
      await refusal.toThrow(EngineError);
      await refusal.toMatchObject({ code: 'context_length_exceeded' });
    });

    it('has the abilities that it says, and is not asked for others', async () => {
      const { logprobs, structure, embeddings } = backend.abilities;
      const scored = ask('chat', { ...chat, logprobs: 1 });
      if (logprobs) expect((await scored).flatMap(toLogprobs)).toHaveLength(8);
      else await expect(scored).rejects.toMatchObject({ code: 'unsupported_parameter' });
      const shaped = ask('chat', { ...chat, json: { type: 'boolean' } });
      if (structure) expect(['true', 'false']).toContain(toText(await shaped));
      else await expect(shaped).rejects.toMatchObject({ code: 'invalid_value' });
      const embedded = ask('embed', { prompt: 'hello', adapter: null });
      if (embeddings) expect((await embedded)[0]!.values).toBeInstanceOf(Float32Array);
      else await expect(embedded).rejects.toMatchObject({ code: 'model_not_supported' });
    });

    it('fails an answer that breaks off, and answers the next', async () => {
      const answers = Array.from({ length: AT_ONCE }, () => openLong());
      await Promise.all(answers.map(answer => answer.next()));
      await given.breakDown();
      const ends = await Promise.allSettled(answers.map(untilDone));
      for (const end of ends) {
        expect(end).toMatchObject({ status: 'rejected', reason: { code: 'engine_unavailable' } });
        expect(end).toHaveProperty('reason', expect.any(EngineError));
      }
      expect(await say(null)).toBe(says.get(null));
      for (const { sha256 } of adapters) expect(await say(sha256)).toBe(says.get(sha256));
    });

    it('answers nothing anymore once it is closed', async () => {
      const open = openLong();
      await open.next();
      const broken = untilDone(open);
      broken.catch(() => {});
      await backend.close();
      await expect(broken).rejects.toMatchObject({ code: 'engine_unavailable' });
      await expect(ask('chat', chat)).rejects.toMatchObject({ code: 'engine_unavailable' });
      expect(backend.state).toBe('failed');
      await backend.close();
    });
  });
}

async function collect<T>(all: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of all) found.push(one);
  return found;
}

async function untilDone(pieces: AsyncIterator<Piece>): Promise<void> {
  while (!(await pieces.next()).done);
}

const toText = (pieces: readonly Asks['complete']['output'][]) =>
  pieces.map(piece => ('text' in piece ? piece.text : '')).join('');

const toLogprobs = (piece: Piece) => ('logprobs' in piece ? (piece.logprobs ?? []) : []);
