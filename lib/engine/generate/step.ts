// Runs the graph once: takes tokens for each slot of a cache, appends their keys and values to it, and returns what is
// wanted of its outputs. It does not know requests.
import {
  buildDecodingGraph,
  cacheShapeOf,
  type ModelConfig,
  type ModelSource,
  maskName,
  ODDS_READ,
  windowsOf,
} from '../model/index.js';
import {
  createSession,
  DeviceError,
  type Inputs,
  integers,
  type Session,
  type SessionOptions,
  traitsOf,
} from '../runtime/index.js';
import type { AdapterStacks, LoadedAdapter } from './adapters.js';
import { isSmall, sessionBytes } from './cache-budget.js';
import { asPast, createDeviceStore, type DeviceStore } from './device-store.js';
import type { KvCache } from './kv-cache.js';

/** The new tokens of one slot of the cache. */
interface StepLine {
  /** The same number of tokens in every line. */
  ids: readonly number[];
  adapter: LoadedAdapter | null;
  /** The position of the text's first token. Defaults to 0. */
  startsAt?: number;
  /** Its next token is drawn from the softmax at this temperature. */
  drawsAt?: number | undefined;
}

export interface StepOutput {
  /** Its logits [vocabulary], or [tokens, vocabulary], or its states [tokens, hidden]. */
  values: Float32Array;
  /** The probabilities of the next token, for a line that draws from them. */
  odds?: Float32Array | undefined;
}

/**
 * Returns one output for each line, or none if nothing is wanted. `readsStates`: the cache needs the states after these tokens, also if
 * a GPU computes them. Throws a `StatesLostError` if they were on one that was left.
 */
export type RunStep = (
  cache: KvCache,
  lines: readonly StepLine[],
  wanted: WantedOutput,
  options?: { readsStates?: boolean },
) => Promise<StepOutput[]>;

export function createRunStep(
  config: ModelConfig,
  sessions: DecodingSessions,
  stacks: AdapterStacks,
): RunStep {
  const group = config.heads / config.kvHeads;
  const windows = windowsOf(config);
  return async (cache, lines, wanted, { readsStates = false } = {}) => {
    const tokens = lines[0]!.ids.length;
    const adapters = lines.map(({ adapter }) => adapter);
    const drawn =
      wanted === 'last' ? lines.flatMap((line, i) => (line.drawsAt === undefined ? [] : [i])) : [];
    const size = lines.length * tokens;
    const inputsFor = (session: DecodingSession): Inputs[] => [
      tokenInputs(cache, lines, wanted, session),
      drawInputs(lines, drawn, session),
      { lengths: integers([cache.capacity, tokens]) },
      ...windows.map(window => maskInputs(cache, tokens, group, window)),
    ];
    const computeHere = async (session: DecodingSession) => {
      const past = cache.inputs();
      const adapted = session.adapters ? stacks.inputsFor(adapters) : [];
      const inputs = [...inputsFor(session), past, ...adapted];
      const outputs = await session.limits.run(size, () => session.run(...inputs));
      cache.append(outputs, tokens);
      return outputs;
    };
    const computeThere = async (session: DecodingSession, device: DeviceStore) => {
      const past = await cache.inputsThere(device, tokens);
      const [matrices, scales] = session.adapters ? stacks.inputsFor(adapters) : [{}, {}];
      const copies = await device.copiesOf(matrices);
      // Of a row that stands for none, the least.
      const oddsRead = { [ODDS_READ]: integers([drawn.length > 0 ? config.vocabulary : 1]) };
      const inputs = [...inputsFor(session), oddsRead, past, copies, scales];
      const { values, kept } = await session.runAndKeep(...inputs);
      const held = device.hold(asPast(kept));
      const states = readsStates ? await device.readStates(held.tensors) : {};
      cache.appendThere({ ...values, ...states }, held, tokens);
      return values;
    };
    const compute = async () => {
      const session = await sessions.open(adapters.some(adapter => adapter !== null));
      const { device, limits } = session;
      return device ? limits.run(size, () => computeThere(session, device)) : computeHere(session);
    };
    // The cache is as before the step, so that the CPU can repeat it.
    const outputs = await compute().catch(async error => {
      await sessions.leaveDevice(error);
      return compute();
    });
    if (wanted === 'nothing') return [];
    const values = parts((wanted === 'states' ? outputs.states : outputs.logits)!, lines.length);
    const odds = parts(outputs.odds!, drawn.length);
    const oddsOf = new Map(drawn.map((line, i) => [line, odds[i]!]));
    return values.map((own, i) => ({ values: own, odds: oddsOf.get(i) }));
  };
}

/** The logits after the last token of each slot, or after every token, or the last hidden state of every token. */
export type WantedOutput = 'nothing' | 'last' | 'logits' | 'states';

function parts(values: Float32Array, count: number): Float32Array[] {
  const size = values.length / count;
  return Array.from({ length: count }, (_, i) => values.subarray(i * size, (i + 1) * size));
}

type Where = Pick<DecodingSession, 'device'>;

/** Rows to compute. GPU kernels cannot compute zero rows, so there is at least one, which is ignored. */
const orAny = (rows: readonly number[], { device }: Where) => (device && rows.length === 0 ? [0] : rows);

function drawInputs(lines: readonly StepLine[], drawn: readonly number[], where: Where): Inputs {
  const rows = orAny(drawn, where);
  const sharpness = Float32Array.from(rows, i => 1 / (lines[i]!.drawsAt ?? 1));
  return {
    drawnAt: integers(rows),
    sharpness: { values: sharpness, shape: [rows.length, 1] },
  };
}

const MASKED = -1e9;

/** `ids` must have the same number of tokens for every slot of the cache. */
function tokenInputs(cache: KvCache, lines: readonly StepLine[], wanted: WantedOutput, where: Where): Inputs {
  const tokens = lines[0]!.ids.length;
  const all = Array.from({ length: lines.length * tokens }, (_, at) => at);
  const positions = lines.flatMap(({ ids, startsAt = 0 }, slot) =>
    ids.map((_, i) => startsAt + cache.lengths[slot]! + i),
  );
  const last = lines.map((_, slot) => (slot + 1) * tokens - 1);
  const at = orAny(wanted === 'last' ? last : wanted === 'logits' ? all : [], where);
  const statesAt = orAny(wanted === 'states' ? all : [], where);
  const shape = [lines.length, tokens];
  return {
    ids: integers(
      lines.flatMap(({ ids }) => ids),
      shape,
    ),
    positions: integers(positions, shape),
    at: integers(at),
    statesAt: integers(statesAt),
  };
}

/** `group` is the number of query heads per key head. */
function maskInputs(cache: KvCache, tokens: number, group: number, window: number | null): Inputs {
  const { lengths, capacity } = cache;
  const rows = tokens * group;
  // Without a window, the past is the same for all new tokens.
  const pastRows = window === null ? 1 : rows;
  const reach = window ?? Number.POSITIVE_INFINITY;
  const past = new Float32Array(lengths.length * pastRows * capacity);
  lengths.forEach((length, slot) => {
    for (let row = 0; row < pastRows; row++) {
      const values = past.subarray((slot * pastRows + row) * capacity).subarray(0, capacity);
      values.fill(MASKED, length).fill(MASKED, 0, firstSeen(length + Math.floor(row / group), reach));
    }
  });
  const fresh = new Float32Array(rows * tokens);
  for (let row = 0; row < rows; row++) {
    const token = Math.floor(row / group);
    const values = fresh.subarray(row * tokens, (row + 1) * tokens);
    values.fill(MASKED, token + 1).fill(MASKED, 0, firstSeen(token, reach));
  }
  return {
    [maskName('past', window)]: { values: past, shape: [lengths.length, 1, pastRows, capacity] },
    [maskName('new', window)]: { values: fresh, shape: [1, 1, rows, tokens] },
  };
}

/** The first position that the token at this one attends to. */
const firstSeen = (position: number, reach: number) => Math.max(0, position - reach + 1);

// The sessions of the base model: one with inputs for adapters, and a faster one without. Each holds its own copy of
// the weights, so a large model has one session at a time; once an adapter was used, that is the one with adapters.
export interface DecodingSessionsOptions extends Pick<ModelSource, 'config'>, Loaded {
  context: number;
  session?: SessionOptions | undefined;
  /** Keep both sessions, which doubles the memory. Defaults to true for a small model. */
  keepBoth?: boolean | undefined;
  /** Called before each run of the model with how long it may take. */
  beginWork?: BeginWork | undefined;
  /** The minimum time before a run counts as hung. Defaults to 20 s. */
  runLimitMs?: number | undefined;
  /** Called when a GPU has failed, for what the CPU computes with from then on. Default: the failure ends the requests. */
  leaveDevice?: ((fault: DeviceError) => Promise<Loaded>) | undefined;
}

type Loaded = Pick<ModelSource, 'weights' | 'bytesPerWeight'>;

interface DecodingSession extends Session {
  /** Whether it has inputs for adapters. */
  adapters: boolean;
  /** If it computes in a memory of its own: what stays there. */
  device: DeviceStore | null;
  limits: RunLimits;
}

export interface DecodingSessions {
  /** Creates the session on first use. */
  open(withAdapters: boolean): Promise<DecodingSession>;
  /** Continues on the CPU after a GPU's error; throws any other. */
  leaveDevice(error: unknown): Promise<void>;
  close(): Promise<void>;
}

export function createDecodingSessions(options: DecodingSessionsOptions): DecodingSessions {
  const { config, context, beginWork, runLimitMs: minMs, leaveDevice } = options;
  const { keepBoth = isSmall(sessionBytes(options)) } = options;
  const sessions = new Map<boolean, DecodingSession>();
  let loaded: Loaded = options;
  let place = options.session;
  let device = storeIn(place);

  function storeIn(where: SessionOptions = {}): DeviceStore | null {
    return traitsOf(where).isApart ? createDeviceStore(cacheShapeOf(config), where) : null;
  }

  async function close(adapters: boolean): Promise<void> {
    const session = sessions.get(adapters);
    sessions.delete(adapters);
    await session?.close();
  }

  return {
    async open(withAdapters) {
      const adapters = withAdapters || (!keepBoth && sessions.has(true));
      const found = sessions.get(adapters);
      if (found) return found;
      if (!keepBoth) await close(!adapters);
      const weightBytes = sessionBytes({ config, ...loaded });
      const limits = createRunLimits({ weightBytes, beginWork, minMs });
      const create = () => {
        const keepsCache = device !== null;
        const graph = buildDecodingGraph(config, loaded.weights, { adapters, context, keepsCache });
        const keeps = graph.outputs.flatMap(({ name }) => (name.startsWith('present.') ? name : []));
        return createSession(graph, { spinning: true, ...place, keeps });
      };
      const session = { ...(await limits.run('open', create)), adapters, device, limits };
      sessions.set(adapters, session);
      return session;
    },
    async leaveDevice(error) {
      if (!(error instanceof DeviceError && leaveDevice)) throw error;
      // A device that was lost may not even close.
      await device?.close().catch(() => {});
      for (const adapters of [true, false]) await close(adapters).catch(() => {});
      loaded = await leaveDevice(error);
      place = { ...place, provider: 'cpu' };
      device = storeIn(place);
    },
    async close() {
      await device?.close();
      await Promise.all([close(true), close(false)]);
    },
  };
}

/** Reports that work starts that may take this long, and returns a function that reports its end. */
export type BeginWork = (allowedMs: number) => () => void;

interface RunLimitsOptions {
  weightBytes: number;
  beginWork?: BeginWork | undefined;
  /** The minimum limit. Defaults to 20 s. */
  minMs?: number | undefined;
  now?: () => number;
}

/** @internal */
export interface RunLimits {
  /** Runs work that opens the session or computes this many tokens. */
  run<T>(tokens: number | 'open', work: () => Promise<T>): Promise<T>;
}

const MIN_MS = 20_000;
/** Swapping or a training run at the same time slow the machine down, but not by this much. */
const FACTOR = 10;
/** The slowest disk to expect, in bytes per millisecond. */
const SLOWEST_DISK = 20_000;

/**
 * How long the runs of one session may take before they count as hung: a multiple of the longest run of that size so far.
 * The limit of the first run depends on the size of the weights, which may have to be read from a slow disk. @internal
 */
export function createRunLimits(options: RunLimitsOptions): RunLimits {
  const { weightBytes, beginWork = () => () => {}, minMs = MIN_MS, now = () => performance.now() } = options;
  const longest = new Map<number, number>();

  function limitOf(size: number): number {
    const known = longest.get(size);
    return Math.max(minMs, known === undefined ? weightBytes / SLOWEST_DISK : known * FACTOR);
  }

  return {
    async run(tokens, work) {
      const size = tokens === 'open' ? 0 : 2 ** Math.ceil(Math.log2(tokens));
      const end = beginWork(limitOf(size));
      const startedAt = now();
      try {
        const result = await work();
        longest.set(size, Math.max(longest.get(size) ?? 0, now() - startedAt));
        return result;
      } finally {
        end();
      }
    },
  };
}
