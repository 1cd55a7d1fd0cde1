// How a layer turns queries and keys by position, as a `config.json` says it.
import { ModelError, readNumber, readNumbers, type Settings } from './settings.js';

export interface Rope {
  theta: number;
  /** How much of a head is turned: its first values. */
  share: number;
  scaling: RopeScaling | null;
}

/**
 * `linear`: positions are divided by the factor. `llama3`, `yarn`: only low frequencies are. `longrope`: each frequency is
 * divided by a factor of its own, by others in texts that are longer than the original positions.
 */
export type RopeScaling =
  | { kind: 'linear'; factor: number }
  | {
      kind: 'yarn';
      factor: number;
      /** How often a frequency turns within the original positions: from here on it is kept, and up to there divided. */
      fastTurns: number;
      slowTurns: number;
      originalPositions: number;
      /** The factor of what is turned. */
      magnitude: number;
    }
  | {
      kind: 'longrope';
      short: readonly number[];
      long: readonly number[];
      originalPositions: number;
      /** The factor of what is turned. */
      magnitude: number;
    }
  | {
      kind: 'llama3';
      factor: number;
      lowFrequencyFactor: number;
      highFrequencyFactor: number;
      originalPositions: number;
    };

/** Of layers with or without a window, which may have a base of their own, under the name `windowTheta`. */
export function readRope(
  json: Settings,
  file: string,
  { isWindowed, windowTheta }: { isWindowed: boolean; windowTheta: string | undefined },
): Rope {
  const settings = ropeSettings(json, isWindowed ? windowTheta : undefined, isWindowed);
  const theta = readNumber(settings, 'rope_theta', file, 10_000);
  const share = readNumber({ ...json, ...settings }, 'partial_rotary_factor', file, 1);
  return { theta, share, scaling: readScaling({ ...positionsOf(json), ...settings }, file) };
}

/** How many values of a head are turned. */
export const turnedWidth = (share: number, headDim: number) => Math.floor(headDim * share);

export function checkRope({ share, scaling }: Rope, headDim: number, file: string): void {
  const width = turnedWidth(share, headDim);
  if (width === 0 || width > headDim || width % 2 !== 0)
    throw new ModelError(`${file}: partial_rotary_factor ${share} turns ${width} of ${headDim} values.`);
  const factors = scaling?.kind === 'longrope' ? [scaling.short, scaling.long] : [];
  if (factors.some(({ length }) => length !== width / 2))
    throw new ModelError(`${file}: short_factor and long_factor must have ${width / 2} numbers.`);
}

/**
 * Older files have `rope_theta` and `rope_scaling`; newer ones have both in `rope_parameters`, which may tell kinds of
 * layers apart. Older files with bases for both scale only layers without a window.
 */
function ropeSettings(json: Settings, windowTheta: string | undefined, isWindowed: boolean): Settings {
  const given = (json.rope_parameters ?? {}) as Settings;
  const ofKind = given[isWindowed ? 'sliding_attention' : 'full_attention'] as Settings | undefined;
  const theta = { rope_theta: json[windowTheta ?? 'rope_theta'] };
  if (windowTheta) return { ...theta, ...ofKind };
  return { ...theta, ...(json.rope_scaling as Settings | undefined), ...(ofKind ?? given) };
}

/** Keys that some configs have next to the scaling's settings. */
function positionsOf(json: Settings): Settings {
  const { max_position_embeddings: longest, original_max_position_embeddings: original } = json;
  return { max_position_embeddings: longest, original_max_position_embeddings: original };
}

function readScaling(settings: Settings, file: string): RopeScaling | null {
  const given = (settings.rope_type ?? settings.type ?? 'default') as 'default' | RopeScaling['kind'] | 'su';
  // An earlier name.
  const kind = given === 'su' ? 'longrope' : given;
  const read = (name: string, otherwise?: number) => readNumber(settings, name, file, otherwise);
  switch (kind) {
    case 'default':
      return null;
    case 'linear':
      return { kind, factor: read('factor') };
    case 'yarn':
      refuseVariants(settings, file);
      return {
        kind,
        factor: read('factor'),
        fastTurns: read('beta_fast', 32),
        slowTurns: read('beta_slow', 1),
        originalPositions: read('original_max_position_embeddings'),
        magnitude: read('attention_factor', 0.1 * Math.log(Math.max(1, read('factor'))) + 1),
      };
    case 'longrope':
      return readLongRope(settings, file);
    case 'llama3':
      return {
        kind,
        factor: read('factor'),
        lowFrequencyFactor: read('low_freq_factor'),
        highFrequencyFactor: read('high_freq_factor'),
        originalPositions: read('original_max_position_embeddings'),
      };
    default:
      throw new ModelError(`${file}: rope scaling ${JSON.stringify(kind)} is not supported.`);
  }
}

function readLongRope(settings: Settings, file: string): RopeScaling {
  const read = (name: string, otherwise?: number) => readNumber(settings, name, file, otherwise);
  const originalPositions = read('original_max_position_embeddings');
  const factor = read('factor', read('max_position_embeddings') / originalPositions);
  const usual = factor <= 1 ? 1 : Math.sqrt(1 + Math.log(factor) / Math.log(originalPositions));
  return {
    kind: 'longrope',
    short: readNumbers(settings, 'short_factor', file),
    long: readNumbers(settings, 'long_factor', file),
    originalPositions,
    magnitude: read('attention_factor', usual),
  };
}

function refuseVariants(settings: Settings, file: string): void {
  const changed = ['mscale', 'mscale_all_dim'].find(name => settings[name] != null);
  const name = changed ?? (settings.truncate === false && 'truncate');
  if (name) throw new ModelError(`${file}: rope scaling "yarn" with ${name} is not supported.`);
}
