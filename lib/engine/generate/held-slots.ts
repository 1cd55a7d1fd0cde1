// Where a GPU has the slots of a cache. Slots that join, leave and move are only noted here; before the next step, they are brought
// together on the device, and what it does not have is sent.
import type { CachePart, DeviceStore, Held, KeptByName } from './device-store.js';

/** A part of a cache on the device. */
interface HeldPart extends CachePart {
  held: Held;
}

interface Place {
  part: HeldPart;
  slot: number;
}

/** A part with the slots that are wanted, by where they go. */
interface Source extends CachePart {
  slotOf: ReadonlyMap<number, number>;
}

export class HeldSlots {
  /** By slot; null where the device does not have all of it. */
  #places: (Place | null)[] = [];

  add(): void {
    this.#places.push(null);
  }

  /** Adds a slot that starts as a copy of another, unless it `differs` in state that is not kept by row. */
  addFrom(other: HeldSlots, from: number, { differs }: { differs: boolean }): void {
    const place = differs ? null : other.#places[from]!;
    place?.part.held.retain();
    this.#places.push(place);
  }

  /** Removes a slot; the last one takes its place. */
  remove(slot: number): void {
    this.#places[slot]?.part.held.release();
    const last = this.#places.pop()!;
    if (slot < this.#places.length) this.#places[slot] = last;
  }

  takeOver(other: HeldSlots): void {
    this.#places = other.#places;
    other.#places = [];
  }

  clear(): void {
    this.forget();
    this.#places = [];
  }

  /** What the device has is of no use anymore. */
  forget(): void {
    for (const place of this.#places) place?.part.held.release();
    this.#places.fill(null);
  }

  /** All slots are in these tensors now, in order. */
  replace(held: Held, capacity: number): void {
    const part = { held, tensors: held.tensors, slots: this.#places.length, capacity };
    const places = this.#places.map((_, slot) => ({ part, slot }));
    for (const _ of places) held.retain();
    this.forget();
    this.#places = places;
  }

  /**
   * Brings all slots into one tensor for each name, with so many rows. `toSend` has a slot that the device lacks, unless that has no
   * tokens yet.
   */
  async gather(
    store: DeviceStore,
    capacity: number,
    toSend: (slot: number) => CachePart | null,
  ): Promise<KeptByName> {
    const part = this.#places[0]?.part;
    const isInOrder = this.#places.every((place, at) => place?.part === part && place?.slot === at);
    if (part && isInOrder && part.slots === this.#places.length && part.capacity === capacity)
      return part.tensors;
    const [first, ...others] = toSources(await this.#findAll(store, toSend));
    let all = first!;
    let arranged: Held | undefined;
    for (const next of others.length > 0 ? others : [undefined]) {
      const order = [...all.slotOf.keys(), ...(next?.slotOf.keys() ?? [])].sort((a, b) => a - b);
      const slotsAt = order.map(at => all.slotOf.get(at) ?? all.slots + next!.slotOf.get(at)!);
      const joined = await store.arrange([all, next], slotsAt, capacity);
      arranged?.drop();
      arranged = joined;
      const slotOf = new Map(order.map((at, slot) => [at, slot]));
      all = { tensors: joined.tensors, slots: order.length, capacity, slotOf };
    }
    this.replace(arranged!, capacity);
    return all.tensors;
  }

  /** Where each slot comes from. */
  async #findAll(store: DeviceStore, toSend: (slot: number) => CachePart | null) {
    const empty = await store.empty();
    return this.#places.map((place, at) => place ?? { part: toSend(at) ?? empty, slot: 0 });
  }
}

function toSources(places: readonly { part: CachePart; slot: number }[]): Source[] {
  const slots = new Map<CachePart, Map<number, number>>();
  for (const [at, { part, slot }] of places.entries())
    slots.set(part, (slots.get(part) ?? new Map<number, number>()).set(at, slot));
  return [...slots].map(([part, slotOf]) => ({ ...part, slotOf }));
}
