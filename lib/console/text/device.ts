// Texts about what a run computes on.
import type { CloudWeights, RunDevice } from '../../contract/index.js';

/** `GPU (NVIDIA H100 80GB HBM3)`, `CPU (PyTorch 2.13.0)`, `CPU` */
export function deviceName({ type, name, software }: Omit<RunDevice, 'reason'>): string {
  const kind = type.toUpperCase();
  const details = [name, software].filter(Boolean).join(', ');
  return details === '' ? kind : `${kind} (${details})`;
}

/** The same with the reason: `CPU. The GPU failed: out of memory.` */
export function deviceText(device: RunDevice): string {
  return [deviceName(device), device.reason].filter(Boolean).join('. ');
}

/** What an event says of it; null if nothing that can be shown. */
export function readDevice(value: unknown): RunDevice | null {
  const { type, name, software, reason } = (value ?? {}) as Record<string, unknown>;
  if (type !== 'cpu' && type !== 'gpu') return null;
  return {
    type,
    ...(typeof name === 'string' && { name }),
    ...(typeof software === 'string' && { software }),
    ...(typeof reason === 'string' && { reason }),
  };
}

/** In which precision a cloud's base model computes, and why. */
export function weightsText({ setting, used, speedup, divergence }: CloudWeights): string {
  if (setting !== 'auto') return setting;
  if (used === null) return 'auto: the first run or chat decides';
  if (speedup == null) return `${used}: int8 is not exact on this processor`;
  const times = `${speedup.toFixed(1)} times as fast`;
  if (used === 'int8') return `int8: trains ${times} as f32 here`;
  if (divergence === undefined) return `f32: int8 would train only ${times} here`;
  return `f32: int8 would train ${times} here, but expect other tokens (divergence ${divergence.toFixed(3)})`;
}
