// How likely labels and fields are, from the log probabilities of an answer's tokens.
import { type Answer, bytesOf, type ScoredToken } from './ask-endpoint.js';

/** How many further requests may ask about labels that begin alike. */
const MOST_FURTHER = 16;
/** Less likely labels are not asked about. */
const NEGLIGIBLE = 1e-4;

/**
 * The probability of each label, as sampling among the labels would choose it. Where an answer's tokens part from other labels,
 * the alternatives there say how likely those are. An alternative that begins several labels is divided among them as another
 * answer, constrained to them, says. A label whose beginning is not among the likeliest 20 tokens counts as 0.
 */
export async function scoreLabels(
  labels: readonly string[],
  first: Answer,
  askAmong: (labels: readonly string[]) => Promise<Answer>,
): Promise<Readonly<Record<string, number>>> {
  const found = new Map(labels.map(label => [label, 0]));
  let further = 0;

  async function divide(group: Group, mass: number, answer: Answer): Promise<void> {
    const shares = sharesOf(group, answer);
    if (shares.length === 0) return spread(group.labels, mass);
    for (const part of shares) {
      const { labels: among } = part;
      const partMass = mass * part.share;
      const isFinal = among.length === 1 || partMass < NEGLIGIBLE || further >= MOST_FURTHER;
      if (isFinal) spread(among, partMass);
      else {
        further++;
        await divide(part, partMass, await askAmong(among.filter(label => !beginsAnother(label, among))));
      }
    }
  }

  function spread(group: readonly string[], mass: number): void {
    for (const label of group) found.set(label, found.get(label)! + mass / group.length);
  }

  await divide({ labels, path: '' }, 1, first);
  const total = sumOf([...found.values()]);
  return Object.fromEntries([...found].map(([label, mass]) => [label, mass / total]));
}

/** An answer with this label would not show how likely a longer label is. */
function beginsAnother(label: string, labels: readonly string[]): boolean {
  return labels.some(other => other !== label && other.startsWith(label));
}

interface Group {
  labels: readonly string[];
  /** The bytes that all of them begin with, and that were written in whole tokens. */
  path: string;
}

interface Share extends Group {
  share: number;
}

/** A label, and the bytes of it that were not written yet. */
interface Left {
  label: string;
  rest: string;
}

/** How labels part along an answer, after the path to them. The shares add up to 1; none if the answer shows nothing. */
function sharesOf({ labels, path }: Group, { tokens }: Answer): Share[] {
  const next = findNext(path, tokens);
  const whole = labels.find(label => bytesOf(label) === path);
  // The tokenizer writes a longer label with other tokens, whose share was counted where they were alternatives to these.
  if (next < 0 && whole !== undefined) return [{ labels: [whole], path, share: 1 }];
  let written = next < 0 ? '' : path;
  const shares: Share[] = [];
  const add = (part: readonly Left[], share: number, bytes = '') => {
    if (part.length > 0 && share > 0)
      shares.push({ labels: part.map(({ label }) => label), path: written + bytes, share });
  };
  let left: Left[] = labels.map(label => ({ label, rest: bytesOf(label).slice(written.length) }));
  let mass = 1;
  for (const token of tokens.slice(Math.max(0, next))) {
    if (left.length <= 1 || mass === 0) break;
    const { ended, ways } = waysOn(left, token);
    // A token that continues no label ends one, if a label ends here.
    const going = sumOf(ways.map(({ weight }) => weight));
    const end = ended.length > 0 ? Math.max(0, 1 - going) : 0;
    const total = going + end;
    if (total === 0) break;
    add(ended, (mass * end) / total);
    for (const { bytes, part, weight } of ways)
      if (bytes !== token.bytes) add(part, (mass * weight) / total, bytes);
    const own = ways.find(({ bytes }) => bytes === token.bytes);
    mass *= (own?.weight ?? 0) / total;
    left = (own?.part ?? []).map(({ label, rest }) => ({ label, rest: rest.slice(token.bytes.length) }));
    written += token.bytes;
  }
  add(left, left.length === labels.length && labels.length > 1 ? 0 : mass);
  return shares;
}

/** The index of the token that follows a path; negative if none starts there. */
function findNext(path: string, tokens: Answer['tokens']): number {
  let written = '';
  return tokens.findIndex(({ bytes }) => {
    const isNext = written === path;
    written += bytes;
    return isNext;
  });
}

interface Way {
  bytes: string;
  part: Left[];
  weight: number;
}

/** The labels that are over before a token, and the tokens that could come, each with the labels that go on with it. */
function waysOn(left: readonly Left[], token: Answer['tokens'][number]): { ended: Left[]; ways: Way[] } {
  const listed = new Map<string, ScoredToken>([token, ...token.top].map(one => [one.bytes, one]));
  listed.delete('');
  const ways = [...listed.values()].map(({ bytes, logprob }) => ({
    bytes,
    part: left.filter(({ rest }) => rest.startsWith(bytes)),
    weight: Math.exp(logprob),
  }));
  // A token that begins all of them tells nothing, unless it is the answer's own.
  const isTelling = ({ bytes, part }: Way) =>
    part.length > 0 && (bytes === token.bytes || part.length < left.length);
  return { ended: left.filter(({ rest }) => rest === ''), ways: ways.filter(isTelling) };
}

/** The probability of each field's value in an answer of JSON; none without log probabilities. */
export function scoreFields({ text, tokens }: Answer): Readonly<Record<string, number>> {
  const written = tokens.map(({ bytes }) => bytes).join('');
  const offset = written.indexOf(bytesOf(text));
  if (offset < 0 || tokens.length === 0) return {};
  let at = -offset;
  const places = tokens.map(({ bytes, logprob }) => {
    const start = at;
    at += bytes.length;
    return { start, end: at, logprob };
  });
  const scores = findMembers(bytesOf(text)).map(({ name, start, end }) => {
    const own = places.filter(place => place.start < end && place.end > start);
    return [name, Math.exp(sumOf(own.map(({ logprob }) => logprob)))] as const;
  });
  return Object.fromEntries(scores);
}

/** Where the values of an object's members are in its JSON, which is valid. */
function findMembers(json: string): { name: string; start: number; end: number }[] {
  const members: { name: string; start: number; end: number }[] = [];
  const parts = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/gs;
  let [depth, name, start, end] = [0, '', -1, -1];
  const close = () => {
    if (start >= 0) members.push({ name, start, end });
    start = -1;
  };
  let isName = true;
  for (const { 0: part, index } of json.matchAll(parts)) {
    const isOpening = part === '{' || part === '[';
    if (part === '}' || part === ']') depth--;
    if (depth === 0) close();
    else if (depth === 1 && part === ',') {
      close();
      isName = true;
    } else if (depth === 1 && part === ':') isName = false;
    else if (depth === 1 && isName) name = decode(part);
    else {
      if (start < 0) start = index;
      end = index + part.length;
    }
    if (isOpening) depth++;
  }
  return members;
}

/** A name in JSON, whose characters are bytes. */
function decode(binary: string): string {
  const bytes = Uint8Array.from(binary, character => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes)) as string;
}

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
