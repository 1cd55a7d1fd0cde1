// One answer for a view, while Studio or its cloud does not answer.
import { expect, it, vi } from 'vitest';
import { useRequest } from '../../studio-web/use-request.js';
import { createVirtualClock } from '../support/virtual-clock.js';

// Outside of a component there is nothing that is unmounted.
vi.spyOn(console, 'warn').mockImplementation(() => {});

const silence = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

it('Refresh asks again, however many requests are unanswered, and gives up the oldest', async () => {
  const signals: AbortSignal[] = [];
  let answer: ((signal: AbortSignal) => Promise<string>) | undefined;
  const { reload, data } = useRequest(signal => {
    signals.push(signal);
    return answer ? answer(signal) : silence(signal);
  });
  for (let i = 0; i < 5; i++) void reload();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false, false, false, false]);
  answer = async () => 'at last';
  await reload();
  expect(data.value).toBe('at last');
});

it('takes no answer to what was asked before the question changed', async () => {
  let question = 'old';
  const answers = new Map<string, { give(text: string): void; refuse(error: Error): void }>();
  const { askAnew, data, error } = useRequest(
    () => new Promise<string>((give, refuse) => answers.set(question, { give, refuse })),
  );
  question = 'new';
  const anew = askAnew();
  answers.get('new')!.refuse(new Error('Refused.'));
  await anew;
  answers.get('old')!.give('too late');
  await vi.waitFor(() => expect([data.value, error.value?.message]).toEqual([undefined, 'Refused.']));
});

it('keeps a change that came while an earlier request was pending: it asks again', async () => {
  const answers: ((marks: string[]) => void)[] = [];
  const { data, reload, update } = useRequest(() => new Promise<string[]>(give => answers.push(give)));
  answers[0]!([]);
  await vi.waitFor(() => expect(data.value).toEqual([]));
  update(marks => [...marks, 'good']);
  expect([data.value, answers.length]).toEqual([['good'], 1]);
  const earlier = reload();
  update(marks => [...marks, 'bad']);
  answers[1]!(['good']);
  await earlier;
  expect([data.value, answers.length]).toEqual([['good', 'bad'], 3]);
  answers[2]!(['good', 'bad', 'more']);
  await vi.waitFor(() => expect(data.value).toEqual(['good', 'bad', 'more']));
});

it('tells an answer from what was known before, also where it is the same object', async () => {
  const known = ['a'];
  const { data, isAnswered } = useRequest(async () => known, { known });
  expect([data.value, isAnswered.value]).toEqual([known, false]);
  await vi.waitFor(() => expect(isAnswered.value).toBe(true));
  expect(data.value).toBe(known);
});

it('says that there is no answer also where it asks again before that is certain', async () => {
  const clock = createVirtualClock();
  let answer: ((signal: AbortSignal) => Promise<string>) | undefined = async () => 'at first';
  const { data, error, reload } = useRequest(signal => (answer ?? silence)(signal), {
    noResponseMs: 20_000,
    clock,
  });
  await vi.waitFor(() => expect(data.value).toBe('at first'));
  answer = undefined;
  for (let ms = 0; ms < 20_000; ms += 5000) {
    void reload();
    void reload();
    await clock.pass(5000);
    expect(error.value === undefined).toBe(ms < 15_000);
  }
  expect(error.value?.message).toContain('No answer for 20 s.');
  answer = async () => 'at last';
  await reload();
  expect([data.value, error.value]).toEqual(['at last', undefined]);
  await clock.pass(60_000);
  expect(error.value).toBeUndefined();
});

it('says that there is no answer, and takes it back when one comes', async () => {
  const clock = createVirtualClock();
  let answer = (_: string) => {};
  const asked = new Promise<string>(resolve => {
    answer = resolve;
  });
  const { data, error, isSlow } = useRequest(() => asked, { noResponseMs: 30_000, clock });
  await clock.pass(149);
  expect(isSlow.value).toBe(false);
  await clock.pass(1);
  expect(isSlow.value).toBe(true);
  await clock.pass(29_849);
  expect(error.value).toBeUndefined();
  await clock.pass(1);
  expect(error.value?.message).toContain('No answer for 30 s. Still waiting');
  answer('late');
  await clock.pass(0);
  expect([data.value, error.value, isSlow.value]).toEqual(['late', undefined, false]);
});
