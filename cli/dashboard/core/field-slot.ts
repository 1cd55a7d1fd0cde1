// The active text field, for Ink: it hears only of changes to the field itself, not of every redraw.
import type { FieldPlace } from '../drawing/canvas.js';

export interface FieldSlot {
  readonly field: FieldPlace | null;
  show(field: FieldPlace | undefined): void;
  /** Passes a change on to the field as it is now. */
  change(value: string): void;
  subscribe(listener: () => void): () => void;
  /** What Ink shows; the same object until it has to show something else. */
  readonly shown: ShownField | null;
}

type ShownField = Pick<FieldPlace, 'id' | 'width' | 'value'>;

export function createFieldSlot(): FieldSlot {
  const listeners = new Set<() => void>();
  let field: FieldPlace | null = null;
  let shown: ShownField | null = null;
  return {
    get field() {
      return field;
    },
    get shown() {
      return shown;
    },
    show(next) {
      field = next ?? null;
      if (isSame(shown, field)) return;
      shown = field && { id: field.id, width: field.width, value: field.value };
      for (const listener of listeners) listener();
    },
    change: value => field?.change(value),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function isSame(a: ShownField | null, b: ShownField | null): boolean {
  return a === b || (a?.id === b?.id && a?.width === b?.width && a?.value === b?.value);
}
