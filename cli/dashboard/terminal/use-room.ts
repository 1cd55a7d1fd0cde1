// The room that a component has, in columns and rows.
import { createContext, useContext } from 'react';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const RoomContext = createContext<Size>({ width: 0, height: 0 });

/** The room of a view, or within a panel. */
export const useRoom = (): Size => useContext(RoomContext);

/** True while something else is shown in place of the component, which goes on behind it. */
export const CoveredContext = createContext(false);
