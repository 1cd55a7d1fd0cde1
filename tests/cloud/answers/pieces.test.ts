import { describe, expect, it } from 'vitest';
import { BlockList, generateChoices } from '../../../lib/cloud/answers/pieces.js';
import type { Question } from '../../../lib/cloud/seams/backend.js';
import { EngineError, type Piece } from '../../../lib/engine/index.js';
import { until } from '../../support/until.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import {
  end,
  gate,
  type Script,
  type ScriptedBackend,
  saying,
  sayingUntilLeft,
  scriptedBackend,
  text,
  untilAborted,
} from '../backends/scripted-backend.js';

const never = new AbortController().signal;
const asking = (backend: ScriptedBackend, clock = createVirtualClock()) => ({ backend, clock });
const tasks = (count: number): Question<'chat'>[] =>
  Array.from({ length: count }, (_, seed) => ({ messages: [], adapter: null, seed }));

async function collect(pieces: AsyncIterable<{ index: number; piece: Piece }>) {
  const texts: string[] = [];
  for await (const { index, piece } of pieces) texts.push(`${index}${piece.text}`);
  return texts;
}

describe('choices', () => {
  it('are interleaved, complete and each in order', async () => {
    const backend = scriptedBackend(saying(text('a'), text('b'), end(3, 2)));
    const found = await collect(generateChoices(asking(backend), 'chat', tasks(2), never));
    expect(found).toEqual(['0a', '1a', '0b', '1b', '0', '1']);
    expect(backend.open).toBe(0);
  });

  it('do not wait for the slowest once all have started', async () => {
    const { open: release, opened: released } = gate();
    const script: Script = async function* script({ seed }) {
      yield text(`begin ${seed}`);
      if (seed === 0) await released;
      yield end(1, 1);
    };
    const indexes: number[] = [];
    for await (const { index, piece } of generateChoices(
      asking(scriptedBackend(script)),
      'chat',
      tasks(2),
      never,
    )) {
      indexes.push(index);
      if (index === 1 && piece.finishReason) release();
    }
    expect(indexes).toEqual([0, 1, 1, 0]);
  });

  it('are all refused when one is refused before the first piece', async () => {
    const script: Script = async function* script(task, signal) {
      if (task.seed === 1) {
        await new Promise(resolve => setImmediate(resolve));
        throw new EngineError('engine_busy', 'busy');
      }
      yield* sayingUntilLeft(task, signal);
    };
    const backend = scriptedBackend(script);
    const pieces = generateChoices(asking(backend), 'chat', tasks(3), never);
    await expect(pieces.next()).rejects.toMatchObject({ code: 'engine_busy' });
    expect(backend.open).toBe(0);
  });

  it('all end when one fails later', async () => {
    const backend = scriptedBackend(async function* script({ seed }, signal) {
      yield text('first');
      if (seed === 1) throw new EngineError('engine_unavailable', 'gone');
      await untilAborted(signal);
    });
    const reading = collect(generateChoices(asking(backend), 'chat', tasks(3), never));
    await expect(reading).rejects.toMatchObject({ code: 'engine_unavailable' });
    expect(backend.open).toBe(0);
  });

  it('that start later wait for a place, so that what was computed is not lost', async () => {
    const clock = createVirtualClock();
    let refusals = 3;
    const script: Script = async function* script({ seed }) {
      if (seed === 8 && refusals-- > 0)
        throw Object.assign(new EngineError('engine_busy', 'busy'), { retryMs: 5000 });
      yield* [text('a'), end(1, 1)];
    };
    const backend = scriptedBackend(script);
    const reading = collect(generateChoices(asking(backend, clock), 'chat', tasks(10), never));
    await until(() => clock.nextMs).toBe(5000);
    await clock.pass(15_000);
    const texts = await reading;
    expect(texts).toHaveLength(20);
    expect(texts.filter(said => said === '8a')).toHaveLength(1);
    expect(backend.open).toBe(0);
  });

  it('that wait for a place end when the signal aborts', async () => {
    const clock = createVirtualClock();
    const script: Script = async function* script({ seed }, signal) {
      if (seed === 8) throw new EngineError('engine_busy', 'busy');
      yield text('a');
      if (seed === 0) yield end(1, 1);
      else await untilAborted(signal);
    };
    const backend = scriptedBackend(script);
    const aborter = new AbortController();
    const reason = new Error('gone');
    const reading = collect(generateChoices(asking(backend, clock), 'chat', tasks(9), aborter.signal));
    await until(() => clock.waiting).toBe(1);
    aborter.abort(reason);
    await expect(reading).rejects.toBe(reason);
    expect([backend.open, clock.waiting]).toEqual([0, 0]);
  });

  it('all end when the signal aborts or the reader stops', async () => {
    const backend = scriptedBackend(sayingUntilLeft);
    for await (const _ of generateChoices(asking(backend), 'chat', tasks(2), never)) break;
    expect(backend.open).toBe(0);

    const aborter = new AbortController();
    const reason = new Error('gone');
    const pieces = generateChoices(asking(backend), 'chat', tasks(2), aborter.signal);
    await pieces.next();
    expect(backend.open).toBe(2);
    const reading = collect(pieces);
    aborter.abort(reason);
    await expect(reading).rejects.toBe(reason);
    expect(backend.open).toBe(0);
  });
});

it('blocks are thoughts and texts in turn, if a model thinks again', () => {
  const thought = (said: string): Piece => ({ text: '', tokenIds: [], thought: said });
  const list = new BlockList(false);
  const pieces = [thought('a'), thought('b'), text('c'), thought('d'), text('e'), end(1, 1)];
  const changes = pieces.flatMap(piece => [...list.add(piece)]);
  expect(list.blocks.map(block => [block.isThought, block.text])).toEqual([
    [true, 'ab'],
    [false, 'c'],
    [true, 'd'],
    [false, 'e'],
  ]);
  expect(changes.filter(({ kind }) => kind === 'closes').map(({ at }) => at)).toEqual([0, 1, 2]);
});

it.each([true, false])('a text keeps the log probabilities of its blank start; may call: %s', mayCall => {
  const scored = (said: string, id: number) =>
    text(said, [{ id, bytes: new TextEncoder().encode(said), logprob: 0, top: [] }]);
  const list = new BlockList(mayCall);
  for (const piece of [scored('\n', 1), scored('Hi', 2), end(1, 2)]) for (const _ of list.add(piece));
  expect(list.blocks).toMatchObject([{ text: '\nHi', logprobs: [{ id: 1 }, { id: 2 }] }]);
});
