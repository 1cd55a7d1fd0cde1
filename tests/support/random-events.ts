// The events of a run that nobody would have: fields that come and go, numbers in every form, times that are none, and other
// events between the steps.
import { createRandom } from './random.js';

interface SentEvent {
  id: string;
  event: string;
  data: string;
}

const JOB = '"jobId":"7d9a1c52-3f0b-4a8e-9b1d-0c5e6f7a8b91"';
const FORMS = [
  '0',
  '-0',
  '2.50',
  '1e3',
  '1E-7',
  '1e-7',
  '5e-324',
  '1e999',
  '0.0000001',
  '12345678901234567890',
  '7.0',
  '1e+21',
];
const TIMES = ['"2026-02-30T10:00:00.000Z"', '"2026-03-01T10:00:00Z"', '"soon"', '1770000000000', 'null'];
const OTHERS: readonly (readonly [string, string])[] = [
  ['training.preparing', `{"type":"training.preparing",${JOB},"rows":10,"totalRows":null}`],
  ['training.started', `{"model": "é 🙂", "totalSteps":9,"trainTokens":500,"note":"a\\tb\\u001e$1"}`],
  ['checkpoint.saved', `{"type":"checkpoint.saved",${JOB},"step":4,"artifacts":[{"name":"checkpoint-4"}]}`],
  ['score.recorded', `{"type":"score.recorded",${JOB},"step":4,"name":"accuracy","value":0.5}`],
  ['sample.generated', `{"step":4,"sample":0,"answer":"yes"}`],
  ['training.log', 'no json'],
  ['training.log', '[{"step":1}]'],
  ['training.log', '{"step":1,"step":2,"loss":3}'],
  ['training.log', '{"step":null,"loss":3}'],
  ['training.log', '{"step":3,"loss":{"mean":1}}'],
  ['training.log', '{"2":1,"step":3,"1":2}'],
  ['training.log', '{"step":3,"__proto__":4}'],
  ['something.new', '{}'],
];

/** `strangeness`: how often an event is unlike the one before, from 0 to 1. */
export function randomEvents(seed: number, count: number, strangeness: number): SentEvent[] {
  const { next } = createRandom(seed);
  const pick = <Value>(from: readonly Value[]): Value => from[Math.floor(next() * from.length)]!;
  const isStrange = () => next() < strangeness;
  const number = () =>
    isStrange()
      ? pick(FORMS)
      : JSON.stringify(next() < 0.3 ? Math.floor(next() * 1e6) : Math.exp(20 * next() - 10));
  const start = Date.UTC(2026, 1, 28, 23, 58);

  function step(at: number): string {
    const time = isStrange()
      ? pick(TIMES)
      : JSON.stringify(new Date(start + Math.floor(at * 700.3)).toISOString());
    const fields = [
      '"type":"training.log"',
      JOB,
      ...(isStrange() && next() < 0.5 ? [] : [`"timestamp":${time}`]),
      `"step":${isStrange() ? number() : at}`,
      `"loss":${isStrange() ? 'null' : number()}`,
      ...(next() < 0.1 ? [`"evalLoss":${number()}`] : []),
      ...(next() < 0.9 ? [`"epoch":${number()}`, `"tokens":${isStrange() ? 'null' : 2048}`] : []),
      ...(isStrange() ? ['"flag":true', '"a \\"b\\"":{"c":[1]}'] : []),
      `"learningRate":${number()}`,
    ];
    return `{${fields.join(isStrange() ? ', ' : ',')}}`;
  }

  return Array.from({ length: count }, (_, at) => {
    const [event, data] = isStrange() && next() < 0.5 ? pick(OTHERS) : ['training.log', step(at + 1)];
    return { id: String(at + 1), event, data };
  });
}
