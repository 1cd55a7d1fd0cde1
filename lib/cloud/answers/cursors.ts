// Where pages go on: after a row that may have been deleted since the page that ended with it, as by readers who delete all that a
// list shows. What is remembered for that ends with the process.
import { unknownCursor } from './lists.js';

/** The places of the last IDs of one kind. */
export interface Places<Place> {
  get(id: string): Place | undefined;
  set(id: string, place: Place): void;
}

const MOST_REMEMBERED = 10_000;

export function createPlaces<Place>(): Places<Place> {
  const places = new Map<string, Place>();
  return {
    get: id => places.get(id),
    set(id, place) {
      places.delete(id);
      places.set(id, place);
      if (places.size > MOST_REMEMBERED) places.delete(places.keys().next().value!);
    },
  };
}

interface Row {
  id: string;
  number: number;
}

/** The cursors of a list whose rows are numbered. */
export interface Cursors {
  /**
   * The number of the row that a page follows; null for the first page. Throws for what was in no page of this owner. `toId`:
   * the row's ID, where the list shows it in another form.
   */
  find(
    owner: string,
    after: string | undefined,
    findRow: (id: string) => Promise<Pick<Row, 'number'> | null | undefined>,
    toId?: (after: string) => string,
  ): Promise<number | null>;
  /** Remembers the last row of a page that another one follows. `found`: one row more than the limit, then. */
  note(owner: string, found: readonly Row[], limit: number): void;
}

export function createCursors(): Cursors {
  const places = createPlaces<number>();
  const toKey = (owner: string, id: string) => `${owner} ${id}`;
  return {
    async find(owner, after, findRow, toId = id => id) {
      if (after === undefined) return null;
      const number = (await findRow(after))?.number ?? places.get(toKey(owner, toId(after)));
      if (number === undefined) throw unknownCursor(after);
      return number;
    },
    note(owner, found, limit) {
      const last = found[limit - 1];
      if (last && found.length > limit) places.set(toKey(owner, last.id), last.number);
    },
  };
}
