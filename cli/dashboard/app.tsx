// The dashboard as an Ink component: the active text field, with its keys. Everything else is drawn without Ink, whose work
// grows with the size of the screen.
import { useSyncExternalStore } from 'react';
import type { FieldSlot } from './core/field-slot.js';
import { TextField } from './drawing/text-field.js';

export function App({ slot }: { readonly slot: FieldSlot }) {
  const field = useSyncExternalStore(slot.subscribe, () => slot.shown);
  return field && <TextField key={field.id} value={field.value} width={field.width} onChange={slot.change} />;
}
