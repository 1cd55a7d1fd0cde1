// Just enough DNS to read a question and to answer it with an address that leads nowhere.

export interface Question {
  name: string;
  /** 1 asks for an IPv4 address, 28 for an IPv6 one. */
  type: number;
}

const HEADER_BYTES = 12;
const IPV4 = 1;
/** Reserved for documentation, so no one has it. A program that is given it goes on to connect. */
const NOWHERE = [192, 0, 2, 1] as const;

/** Null if the message is not a question. */
export function readQuestion(message: Buffer): Question | null {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (;;) {
    const length = message[at];
    if (length === undefined || length > 63) return null;
    at++;
    if (length === 0) break;
    labels.push(message.toString('latin1', at, at + length));
    at += length;
  }
  if (message.length < at + 4) return null;
  return { name: labels.join('.'), type: message.readUInt16BE(at) };
}

/** One address if IPv4 was asked for, an empty answer otherwise. */
export function answerQuestion(message: Buffer, { name, type }: Question): Buffer {
  const questionBytes = name.length + 2 + 4;
  const reply = Buffer.from(message.subarray(0, HEADER_BYTES + questionBytes));
  const answers = type === IPV4 ? 1 : 0;
  // A response without an error, then four counts: questions, answers, authorities, additional records.
  reply.writeUInt16BE(0x8180, 2);
  for (const [i, count] of [1, answers, 0, 0].entries()) reply.writeUInt16BE(count, 4 + 2 * i);
  if (answers === 0) return reply;
  const record = [0xc0, HEADER_BYTES, 0, IPV4, 0, 1, 0, 0, 0, 60, 0, 4, ...NOWHERE];
  return Buffer.concat([reply, Buffer.from(record)]);
}
