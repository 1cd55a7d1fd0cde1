// Answers that start with a thought, from made-up logits and a real vocabulary, with the marks as one token or as several.
import { describe, expect, it } from 'vitest';
import { type GenerateRequest, type Piece, readAnswer } from '../../../lib/engine/generate/index.js';
import { Sequence } from '../../../lib/engine/generate/sequence.js';
import { type AnswerShape, createStructure } from '../../../lib/engine/structure/index.js';
import { createTokenTable } from '../../../lib/engine/structure/token-table.js';
import { chatMarkers, tinyTokenizer } from '../../support/tiny-tokenizer.js';
import { openTiny } from '../text/tiny-text.js';
import { readAll } from './golden-generator.js';

const THINK = { start: '<think>', end: '</think>' };
const PROMPT = [1, 2, 3];
/** With a token that is the last part of a mark, and more. */
function gluedTokens() {
  const { added_tokens } = tinyTokenizer({ merges: 50 });
  return [
    ...added_tokens,
    { ...added_tokens[0]!, id: added_tokens.at(-1)!.id + 1, content: '>{', special: false },
  ];
}

const vocabularies = {
  'one token': await openTiny({
    merges: 50,
    markers: [...chatMarkers, THINK.start, THINK.end, '<tool_call>'],
  }),
  'several tokens': await openTiny({ merges: 50 }),
  'several tokens, the last of which may go on': await openTiny({
    merges: 50,
    tokenizer: { added_tokens: gluedTokens() },
  }),
};

interface Asked extends Partial<GenerateRequest> {
  wanted: string;
  /** A token that the model writes instead, if it may not write what it wants. */
  instead?: string;
  marks?: typeof THINK;
  /** Whether the prompt has started the thought. */
  isOpen?: boolean;
}

describe.each(Object.entries(vocabularies))('marks of %s', (_, text) => {
  const table = createTokenTable(text);

  /** What is answered if the model wants to write this. */
  async function answer({ wanted, instead, marks = THINK, isOpen = false, shape, ...asked }: Asked) {
    const { maxTokens = 200 } = asked;
    const ids = [...text.encode(wanted), text.endIds[0]!];
    const thought = { ...marks, isOpen };
    const structure = shape && createStructure(table, shape, thought);
    const request = { ...asked, promptIds: PROMPT, temperature: 0, thought };
    const sequence = new Sequence(request, maxTokens, text, undefined, { structure });
    for (let step = 0; !sequence.ended && step < 400; step++) {
      const logits = new Float32Array(text.vocabSize);
      if (instead) logits[text.encode(instead)[0]!] = 5;
      logits[ids[step] ?? text.endIds[0]!] = 10;
      const { length } = sequence.takeChunk(PROMPT.length);
      sequence.accept({ values: logits }, length);
    }
    const { pieces, text: said, last } = await readAll(sequence.stream as AsyncIterable<Piece>);
    // Whoever has only its tokens reads the same.
    const sampled = sequence.ids.slice(PROMPT.length);
    if (!shape && !asked.stop) expect(readAnswer(text, sampled, thought)).toBe(said);
    const thoughts = pieces.map(piece => ('thought' in piece ? piece.thought : ''));
    const scored = pieces.flatMap(piece => ('logprobs' in piece ? piece.logprobs! : []));
    const calls = pieces.flatMap(piece => ('call' in piece ? [piece.arguments] : []));
    return { thought: thoughts.join(''), said, last, pieces, calls: calls.join(''), scored };
  }

  it.each<[name: string, asked: Asked, thought: string, said: string]>([
    ['a thought and an answer', { wanted: '<think>\nthe fox\n</think>\n\nThe dog.' }, 'the fox', 'The dog.'],
    ['white space first', { wanted: '\n<think>a</think>b' }, 'a', 'b'],
    ['a thought that the prompt started', { wanted: 'the fox </think> b', isOpen: true }, 'the fox', 'b'],
    ['an empty thought', { wanted: '<think>\n\n</think>\n\nb' }, '', 'b'],
    ['no thought', { wanted: 'The <think>a</think>' }, '', 'The '],
    ['almost a mark', { wanted: '<thin ice' }, '', '<thin ice'],
    ['the start of a mark and no more', { wanted: '<thi' }, '', '<thi'],
    ['a thought without an end', { wanted: '<think>the fox ' }, 'the fox', ''],
    ['half of an end', { wanted: '<think>a </thi' }, 'a </thi', ''],
    ['stop sequences in both', { wanted: '<think>a END b</think>c END d', stop: ['END'] }, 'a END b', 'c '],
  ])('tell %s apart', async (name, asked, thought, said) => {
    const found = await answer(asked);
    expect(found.thought).toBe(thought);
    // Marks that are special tokens are no part of an answer.
    expect(found.said).toContain(said);
    expect(found.last).toMatchObject({ finishReason: 'stop' });
    if (name !== 'no thought') expect(found.said).toBe(said);
  });

  it('count what is thought, and give no log probabilities of it', async () => {
    const wanted = '<think>the fox</think>\n\nThe dog.';
    const found = await answer({ wanted, logprobs: 0 });
    const { usage } = found.last as Extract<Piece, { finishReason: string }>;
    expect(usage.thoughtTokens).toBe(text.encode('<think>the fox</think>').length);
    expect(usage.completionTokens).toBe(text.encode(wanted).length + 1);
    expect(Buffer.concat(found.scored.map(({ bytes }) => bytes)).toString()).toBe('The dog.');
    expect(found.pieces[0]).toMatchObject({ promptUsage: { promptTokens: PROMPT.length } });
    expect(found.pieces[1]).not.toHaveProperty('promptUsage');
    expect((await answer({ wanted: 'The dog.' })).last).toMatchObject({ usage: { thoughtTokens: 0 } });
  });

  it('are no tokens of the answer, even if it follows at once', async () => {
    const { pieces, scored } = await answer({ wanted: '<think>the fox</think>The dog.', logprobs: 0 });
    expect(pieces.flatMap(({ tokenIds }) => tokenIds)).toEqual(text.encode('The dog.'));
    expect(scored).toHaveLength(text.encode('The dog.').length);
  });

  it('do not come before half of a character after half of an end', async () => {
    const wanted = '<think>a </thi€';
    const { thought } = await answer({ wanted, maxTokens: text.encode(wanted).length - 1 });
    expect(thought).toBe('a </thi\ufffd');
  });

  it('leave an answer out that has no tokens left', async () => {
    const maxTokens = text.encode('<think>the quick').length;
    const found = await answer({ wanted: '<think>the quick brown fox</think>a', maxTokens });
    expect(found).toMatchObject({ said: '', last: { finishReason: 'length' } });
    expect(found.thought).toBe('the quick');
  });

  const json: AnswerShape = {
    json: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
  };
  it.each([false, true])(
    'constrain what follows the thought (which the prompt started: %s)',
    async isOpen => {
      const start = isOpen ? '' : THINK.start;
      const wanted = `${start}\nnot {json}\n</think>\n\n{"a": 12}`;
      expect(await answer({ wanted, isOpen, shape: json })).toMatchObject({
        thought: 'not {json}',
        said: '{"a": 12}',
        last: { finishReason: 'stop' },
      });
      const unwilling = await answer({ wanted: `${start}the</think>The fox`, isOpen, shape: json });
      expect([unwilling.thought, JSON.parse(unwilling.said)]).toEqual(['the', { a: expect.any(Number) }]);
    },
  );

  it('constrain all that follows a thought, of the same token too', async () => {
    const found = await answer({ wanted: '<think>the</think>{"a": 12}', instead: '>', shape: json });
    expect([found.thought, JSON.parse(found.said)]).toEqual(['the', { a: expect.any(Number) }]);
  });

  it('are not awaited once a value has begun, though it begins as a mark does', async () => {
    const marks = { start: '[THINK]', end: '[/THINK]' };
    const shape = { json: { type: 'array', items: { type: 'integer' } } };
    expect(await answer({ wanted: '[1, 2]', marks, shape })).toMatchObject({ thought: '', said: '[1, 2]' });
  });

  it('constrain an answer without a thought, and go on with a thought that would end too soon', async () => {
    expect((await answer({ wanted: '{"a": 12}', shape: json })).said).toBe('{"a": 12}');
    const endless = await answer({ wanted: '<think>the', shape: json, maxTokens: 20 });
    expect(endless).toMatchObject({ said: '', last: { finishReason: 'length' } });
  });

  it('precede a value that begins as a call does, which is said once it can be none', async () => {
    const calls = { functions, isRequired: false, parallel: false, notation: 'bare' as const };
    const shape = { calls, json: { type: 'object', properties: { name: { type: 'string' } } } };
    for (const value of ['{"name": "fox"}', '{"name": "the"}']) {
      const found = await answer({ wanted: `<think>a</think>\n${value}`, shape, logprobs: 0 });
      expect(found).toMatchObject({ thought: 'a', said: value, calls: '', last: { finishReason: 'stop' } });
      expect(Buffer.concat(found.scored.map(({ bytes }) => bytes)).toString()).toBe(value);
    }
    const call = await answer({ wanted: '{"name": "f", "parameters": {}}', shape });
    expect(call).toMatchObject({ said: '', calls: '{}', last: { finishReason: 'tool_calls' } });
    const maxTokens = text.encode('{"name": "').length;
    expect((await answer({ wanted: '{"name": "fox"}', shape, maxTokens })).said).toMatch(/^\{/);
  });

  const functions = [{ name: 'f', schema: { type: 'object', properties: {} }, isStrict: true }];
  const call = '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>';
  it.each([true, false])('precede calls, which are none in a thought (required: %s)', async isRequired => {
    const calls = { functions, isRequired, parallel: false, notation: 'tags' as const };
    const wanted = `<think>Say ${call}?</think>\n\n${call}`;
    expect(await answer({ wanted, shape: { calls } })).toMatchObject({
      // A marker that is a special token is no text.
      thought: expect.stringMatching(/^Say .*\{"name": "f".*\?$/s),
      said: '',
      calls: '{}',
      last: { finishReason: 'tool_calls' },
    });
    const direct = await answer({ wanted: call, shape: { calls } });
    expect([direct.thought, direct.said, direct.calls]).toEqual(['', '', '{}']);
  });
});
