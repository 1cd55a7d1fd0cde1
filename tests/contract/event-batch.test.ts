import { describe, expect, it } from 'vitest';
import {
  batchMessage,
  countEvents,
  EVENT_BATCH,
  LoggedSteps,
  readBatch,
  type SingleEvent,
} from '../../lib/contract/index.js';
import { randomEvents } from '../support/random-events.js';

const step = (id: number, data = `{"step":${id}}`): SingleEvent => {
  return { id: String(id), event: 'training.log', data };
};
const steps = (count: number, first = 1) => Array.from({ length: count }, (_, index) => step(first + index));

function messageOf(events: readonly SingleEvent[]): { id: string; event: string; data: string } {
  const found = /^id: (.*)\nevent: (.*)\ndata: (.*)\n\n$/.exec(batchMessage(events)!)!;
  return { id: found[1]!, event: found[2]!, data: found[3]! };
}

const sent = (events: readonly SingleEvent[]) => readBatch(messageOf(events).data);

function rewritten(data: string): string {
  try {
    return JSON.stringify(JSON.parse(data));
  } catch {
    return data;
  }
}

/** One by one again. */
function single(events: ReturnType<typeof readBatch>): SingleEvent[] {
  return events.flatMap(item => {
    if (!(item instanceof LoggedSteps)) return [item];
    const first = Number(item.id) - item.length + 1;
    return Array.from({ length: item.length }, (_, at) => step(first + at, item.data(at)));
  });
}

describe('many events in one message', () => {
  it('have the number of the last, so that a reader resumes after it', () =>
    expect(messageOf(steps(30, 71))).toMatchObject({ id: '100', event: EVENT_BATCH }));

  it.each([0, 0.02, 0.2, 1])(
    'come back to the letter, each with its number, however strange (%f)',
    strangeness => {
      for (let seed = 1; seed <= 10; seed++) {
        const events = randomEvents(seed, 300, strangeness);
        const read = sent(events);
        expect(single(read)).toEqual(events);
        expect(countEvents(read)).toBe(300);
        expect(read.at(-1)!.id).toBe('300');
      }
    },
  );

  it('come back to the letter, faster, from who has written them as JSON himself', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const events = randomEvents(seed, 300, 0.1).map(event => ({ ...event, data: rewritten(event.data) }));
      const message = batchMessage(events, { isOwn: true })!;
      expect(message).toBe(batchMessage(events));
      expect(single(readBatch(/^data: (.*)$/m.exec(message)![1]!))).toEqual(events);
    }
  });

  it('are few columns for the steps of a usual run, those with an evaluation apart', () => {
    const events = Array.from({ length: 1000 }, (_, at) => {
      const evaluation = at % 20 === 19 && { evalLoss: at / 7 };
      return step(at + 1, JSON.stringify({ step: at + 1, loss: 1 / (at + 3), ...evaluation }));
    });
    const read = sent(events);
    expect(read.map(item => item instanceof LoggedSteps)).toEqual(Array(100).fill(true));
    const { data } = messageOf(events);
    expect(data.length).toBeLessThan(events.map(event => event.data).join('').length);
    expect(JSON.parse(data).tables).toHaveLength(2);
  });

  it.each<[string, SingleEvent[]]>([
    ['too few', steps(19)],
    ['none', []],
    ['with a gap', [...steps(30), step(32)]],
    ['out of order', [...steps(30), step(30)]],
    ['without numbers', steps(30).map(event => ({ ...event, id: '' }))],
  ])('are not put together if they are %s', (_, events) => expect(batchMessage(events)).toBeNull());
});

describe('steps in columns', () => {
  const time = (at: number) => `2026-03-01T10:00:${String(at).padStart(2, '0')}.250Z`;
  const events = Array.from({ length: 30 }, (_, at) => {
    const fields = { timestamp: time(at), step: at, loss: at % 2 ? null : at / 3 };
    return step(at + 5, JSON.stringify({ type: 'training.log', ...fields }));
  });
  const [taken] = sent(events) as [LoggedSteps];

  it('tell what each field has, and when they were logged', () => {
    expect([taken.length, taken.id]).toEqual([30, '34']);
    expect(taken.numbers.map(({ field, values }) => [field, values.slice(0, 3)])).toEqual([
      ['step', [0, 1, 2]],
      ['loss', [0, null, 2 / 3]],
    ]);
    expect(taken.times?.slice(0, 2)).toEqual([Date.parse(time(0)), Date.parse(time(1))]);
    expect(taken.timeOf(29)).toBe(time(29));
  });

  it('can be taken after an event that was seen, and say no times if their events say none', () => {
    expect(taken.after(4)).toBe(taken);
    const rest = taken.after(10);
    expect([rest.length, rest.id, rest.timeOf(0)]).toEqual([24, '34', time(6)]);
    expect(rest.numbers[0]!.values[0]).toBe(6);
    expect(rest.data(0)).toBe(taken.data(6));
    expect([taken.after(34).length, taken.after(99).length]).toEqual([0, 0]);
    const [untimed] = sent(steps(20)) as [LoggedSteps];
    expect([untimed.times, untimed.timeOf(0)]).toEqual([null, null]);
  });
});
