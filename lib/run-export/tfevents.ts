// A run as TensorBoard reads it: records of protocol buffers, each framed by its length and checksums.
import type { RunRecord, RunRow } from './run-record.js';

/** The file of a run. TensorBoard reads each folder with one as a run. */
export function tfeventsName({ id, startedAt }: Pick<RunRecord, 'id' | 'startedAt'>): string {
  return `events.out.tfevents.${Math.floor(startedAt / 1000)}.svc.${id.slice(0, 8)}`;
}

/** The same run always has the same bytes, and a longer one begins with those of a shorter one. */
export function toTfevents(run: RunRecord): Buffer {
  const { startedAt, settings, rows } = run;
  const version = message([double(1, startedAt / 1000), bytes(3, text('brain.Event:2'))]);
  const table = ['| Setting | Value |', '| --- | --- |', ...settings.map(toTableLine)].join('\n');
  const events = [version, toEvent(0, startedAt, [textValue('settings', table)]), ...rows.map(toRowEvent)];
  return Buffer.concat(events.map(frame));
}

function toTableLine({ name, value }: RunRecord['settings'][number]): string {
  return `| ${[name, value].map(cell => cell.replace(/\s+/g, ' ').replace(/[\\|]/g, '\\$&')).join(' | ')} |`;
}

function toRowEvent(row: RunRow): Buffer {
  const values =
    row.kind === 'sample'
      ? [textValue(`samples/${row.sample + 1}`, row.answer)]
      : Object.entries(row.values).map(([tag, value]) => message([bytes(1, text(tag)), float(2, value)]));
  return toEvent(row.step, row.time, values);
}

/** `Event`: wall time, step, and a `Summary` with these values. */
function toEvent(step: number, time: number, values: readonly Buffer[]): Buffer {
  return message([
    double(1, time / 1000),
    varint(2, step),
    bytes(5, message(values.map(value => bytes(1, value)))),
  ]);
}

/** TensorFlow's `DT_STRING`. */
const STRING_TYPE = 7;

/** `Summary.Value` for the text plugin: a tensor of one string. */
function textValue(tag: string, content: string): Buffer {
  const plugin = message([bytes(1, text('text'))]);
  const one = message([bytes(2, message([varint(1, 1)]))]);
  const tensor = message([varint(1, STRING_TYPE), bytes(2, one), bytes(8, text(content))]);
  return message([bytes(1, text(tag)), bytes(8, tensor), bytes(9, message([bytes(1, plugin)]))]);
}

/** `TFRecord`: the length and its checksum, then the data and its checksum. */
function frame(data: Buffer): Buffer {
  const framed = Buffer.alloc(12 + data.length + 4);
  framed.writeBigUInt64LE(BigInt(data.length), 0);
  framed.writeUInt32LE(mask(crc32c(framed.subarray(0, 8))), 8);
  data.copy(framed, 12);
  framed.writeUInt32LE(mask(crc32c(data)), 12 + data.length);
  return framed;
}

/** A checksum of data that contains checksums would be weak, so they are changed. */
function mask(checksum: number): number {
  return (((checksum >>> 15) | (checksum << 17)) + 0xa282ead8) >>> 0;
}

const message = (fields: readonly Buffer[]) => Buffer.concat(fields);
const text = (value: string) => Buffer.from(value, 'utf8');
const key = (field: number, type: 0 | 1 | 2 | 5) => Buffer.from([field * 8 + type]);

function varint(field: number, value: number): Buffer {
  return Buffer.concat([key(field, 0), toVarint(value)]);
}

/** Seven bits a byte, the lowest first. */
function toVarint(value: number): Buffer {
  const digits: number[] = [];
  let left = value;
  for (; left >= 128; left = Math.floor(left / 128)) digits.push((left % 128) + 128);
  return Buffer.from([...digits, left]);
}

function double(field: number, value: number): Buffer {
  const number = Buffer.alloc(8);
  number.writeDoubleLE(value);
  return Buffer.concat([key(field, 1), number]);
}

function float(field: number, value: number): Buffer {
  const number = Buffer.alloc(4);
  number.writeFloatLE(value);
  return Buffer.concat([key(field, 5), number]);
}

function bytes(field: number, content: Buffer): Buffer {
  return Buffer.concat([key(field, 2), toVarint(content.length), content]);
}

// The CRC-32 with Castagnoli's polynomial, which Node does not have.
const POLYNOMIAL = 0x82f63b78;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  return rest;
});

/** @internal */
export function crc32c(data: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of data) rest = TABLE[(rest ^ byte) & 0xff]! ^ (rest >>> 8);
  return (rest ^ 0xffffffff) >>> 0;
}
